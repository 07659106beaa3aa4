import pg from 'pg';
import { Flight, type Outcome } from './flight.ts';
import { raw, type Sql, type Statement } from './sql.ts';

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
  /** Commits in one round trip with the statements started just before it. Nothing may follow; without it the end of the work commits. */
  commit(): Promise<void>;
}

export interface Db extends Queryable {
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Connections in use, open and idle, and callers waiting for one; and how many callers have had to wait so far. */
  load(): { used: number; idle: number; waiting: number; waited: number };
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
  });
  let closed = false;
  pool.on('error', (error) => closed || options.onIdleError?.(error));

  let waited = 0;
  async function connect(): Promise<pg.PoolClient> {
    if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) waited += 1;
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
    ...queries((statement) => withClient((client) => alone(client, statement))),
    tx: (work) => withClient((client) => transaction(client, work)),
    close() {
      closed = true;
      return pool.end();
    },
    load: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waited,
    }),
  };
}

async function alone(client: pg.PoolClient, statement: Sql): Promise<Outcome> {
  const { outcomes, error } = await client.query(new Flight([statement.prepare()])).landed;
  if (error) throw error;
  return outcomes[0] as Outcome;
}

const BEGIN = raw('begin');
const COMMIT = raw('commit');
const ROLLBACK = raw('rollback');
/** Made once: an error costs its stack, and every transaction ends. */
const ENDED = new Error('the transaction has ended');

/** Statements started in one turn of the program are one flight; the first flight begins the transaction. */
async function transaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;
  /** Why nothing more may run: work that goes on beside a failed statement must not reach what the connection does next. */
  let over: Error | undefined;

  function run(statement: Sql): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const prepared = statement.prepare();
      if (waiting.length === 0) process.nextTick(send);
      waiting.push({ statement: prepared, resolve, reject });
    });
  }

  const runInside = (statement: Sql) => (over ? Promise.reject(over) : run(statement));

  async function send(): Promise<void> {
    const sent = waiting;
    waiting = [];
    const { outcomes, error } = await client.query(new Flight(sent.map(({ statement }) => statement))).landed;
    for (const [i, outcome] of outcomes.entries()) sent[i]?.resolve(outcome);
    if (!error) return;
    over ??= error;
    const [failed, ...skipped] = sent.slice(outcomes.length);
    failed?.reject(error);
    // Whoever waits for several of them hears first from the one that failed.
    setImmediate(() => {
      for (const { reject } of skipped) reject(error);
    });
  }

  function commit(): Promise<void> {
    committing ??= runInside(COMMIT).then(({ command }) => {
      if (command !== 'COMMIT') throw new Error('a statement of the transaction failed, and nothing was kept');
    });
    over ??= ENDED;
    return committing;
  }

  // Not waited for: what follows runs after it, and fails with it.
  run(BEGIN).catch(() => {});
  try {
    const result = await work({ ...queries(runInside), commit } as Tx);
    await commit();
    return result;
  } catch (error) {
    over ??= error as Error;
    // A dead connection is dropped, and the server rolls back by itself; the first error is the one to report.
    if (!isConnectionError(error)) await run(ROLLBACK).catch(() => {});
    throw error;
  }
}

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

function queries(run: (statement: Sql) => Promise<Outcome>): Queryable {
  const query = (statement: Sql) =>
    run(statement).catch((error) => {
      // The stack that leads to whoever asked, not to the socket the answer came on.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    });
  return {
    query: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    async one<Row>(statement: Sql) {
      const { rows } = await query(statement);
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
      return rows[0] as Row;
    },
    maybe: async <Row>(statement: Sql) => (await query(statement)).rows[0] as Row | undefined,
    run: async (statement: Sql) => (await query(statement)).count,
  };
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
