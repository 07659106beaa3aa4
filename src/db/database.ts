import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Sql } from './sql.ts';

declare const inTransaction: unique symbol;

/** Something statements run on. Rows come back as plain objects; int8 is bigint, timestamptz is Date. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
  /** Exactly one row, or it is a bug. */
  one<Row>(statement: Sql): Promise<Row>;
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** Number of rows the statement touched. */
  run(statement: Sql): Promise<number>;
}

/**
 * An open transaction. A function that writes takes one, and makes no network call while it holds it. Statements started
 * together run one after the other in the order they were started, in one round trip.
 */
export interface Tx extends Queryable {
  readonly [inTransaction]: true;
}

export interface Db extends Queryable {
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Connections in use, open and idle, and callers waiting for one. */
  load(): { used: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** The database cannot be reached at all: the edge answers 503 `service_unavailable`. */
export class DatabaseAway extends Error {}

export interface DatabaseOptions {
  url: string;
  /** Names the connection in pg_stat_activity. */
  name: string;
  /** Sets the session's role: what it may touch is a privilege, not a convention. */
  role?: string;
  searchPath?: string;
  maxConnections?: number;
  /** A statement or a wait for a lock longer than this fails; 0: it may take its time. */
  statementTimeoutMs?: number;
  /** Lists and claims read an index in its order and stop early, whatever the planner makes of the averages it knows. */
  inIndexOrder?: boolean;
  /** An error on an idle connection; nobody is waiting for it, so it is only reported. */
  onIdleError?: (error: Error) => void;
}

const types = {
  getTypeParser(oid: number, format?: string) {
    if (oid === pg.types.builtins.INT8) return BigInt;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/**
 * Plans are kept, and the statistics they were made from may be those of an empty table, or of an average partner where the
 * largest has a million rows. Statements of a world touch few rows of large tables: these are never the way.
 */
const BY_INDEX = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'] as const;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A server that has not even refused a statement this long after it should have is frozen or cut off. */
const SILENCE_MS = 2_000;

export function openDatabase(options: DatabaseOptions): Db {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const settings = [
    ...(options.role ? [`role=${options.role}`] : []),
    ...(options.searchPath ? [`search_path=${options.searchPath}`] : []),
    `statement_timeout=${statementTimeoutMs}`,
    ...(options.inIndexOrder ? BY_INDEX.map((kind) => `enable_${kind}=off`) : []),
    'idle_in_transaction_session_timeout=15000',
    'timezone=UTC',
    // Every statement is one text with parameters; planning it anew for each set of values costs more than it gains.
    'plan_cache_mode=force_generic_plan',
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: `wayfare ${options.name}`,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + SILENCE_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements sent without waiting for each other travel together and run in the order they were sent.
    pipeline: true,
    types,
  });
  let closed = false;
  pool.on('error', (error) => closed || options.onIdleError?.(error));

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw new DatabaseAway('database cannot be reached', { cause: error });
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  return {
    ...queries((config) => withClient((client) => client.query(config))),
    tx: (work) =>
      withClient(async (client) => {
        // Not waited for: what follows on the connection runs after it, and fails with it.
        client.query('begin').catch(() => {});
        try {
          const result = await work(queries((config) => client.query(config)) as Tx);
          await client.query('commit');
          return result;
        } catch (error) {
          // A dead connection is dropped, and the server rolls back by itself; the first error is the one to report.
          if (!isConnectionError(error)) await client.query('rollback').catch(() => {});
          throw error;
        }
      }),
    close() {
      closed = true;
      return pool.end();
    },
    load: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

type Run = (config: pg.QueryConfig) => Promise<pg.QueryResult>;

function queries(run: Run): Queryable {
  const query = (statement: Sql) => run(prepared(statement));
  return {
    query: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    async one<Row>(statement: Sql) {
      const { rows } = await query(statement);
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
      return rows[0] as Row;
    },
    maybe: async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined,
    run: async (statement: Sql) => (await query(statement)).rowCount ?? 0,
  };
}

const statementNames = new Map<string, string>();

/** Each distinct text becomes one prepared statement per connection, so the server parses and plans it once. */
function prepared(statement: Sql): pg.QueryConfig {
  const { text, values } = statement.compile();
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    statementNames.set(text, name);
  }
  return { name, text, values };
}

const CONNECTION_LOST = /^(08|57P0)/;

/** The connection ended under a statement (as opposed to a statement that was refused). */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && CONNECTION_LOST.test(code)) return true;
  return /Connection terminated|Query read timeout|ECONNRESET|EPIPE|Client has encountered a connection error/.test(
    `${String(code)} ${error.message}`,
  );
}

/** SQLSTATE of a database error, undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof Error && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
