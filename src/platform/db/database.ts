import pg from 'pg';
import { bounded } from '../limits/turns.ts';
import { DatabaseAway, isConnectionError, isDiskFull, notReached } from './database-errors.ts';
import { fly, type Outcome, preparedOn } from './query/flight.ts';
import type { Sql } from './query/sql.ts';
import { type Queryable, queries, type Tx, transaction } from './query/transaction.ts';
import { searchPathSetting } from './search-path.ts';
import { Session, serversOf } from './session.ts';

export { DatabaseAway, isConnectionError, isDuplicate, isPassing, isTimedOut, sqlState } from './database-errors.ts';
export type { Queryable, Tx } from './query/transaction.ts';

/**
 * A pool of connections, and the ways to use one. Everything the program asks of PostgreSQL goes through here, except
 * migrations (`migrate.ts`) and notifications (`notifications.ts`), which keep a connection for themselves.
 *
 * Two ways:
 * - `db.query`, `one`, `maybe`, `run`: one statement, one round trip, committed when the promise resolves;
 * - `db.tx(work)`: a transaction. Statements started together share a round trip, see `transaction.ts`. What a round trip is on
 *   the wire is in `flight.ts`.
 * Each takes a connection from the pool and gives it back at the end, so work inside `db.tx` must use `tx`. A `db.query` in there
 * needs a second connection, and when every connection's holder wants a second one, all of them fail.
 *
 * A connection in the pool is idle or in use by exactly one caller. It leaves the pool when it was idle for 30 seconds or when it
 * broke. Broken means: an error that `isConnectionError` knows, or an error event on the socket, after which `pg` marks the
 * client as not queryable and the pool drops it. Any other error is the statement's own, and the connection goes on.
 *
 * Errors a caller can meet:
 * - `DatabaseAway`: no connection could be had, either because the server cannot be reached or because all connections were in
 *   use for three seconds. Nothing was sent;
 * - a connection error: the connection ended under a statement. Whether it took effect is unknown;
 * - an error with a SQLSTATE (`sqlState`): the server refused the statement. In a transaction nothing was kept.
 * None of them is retried here. Only the caller knows whether doing it again is safe.
 *
 * Time limits, from the inside out: the server ends a statement, or its wait for a lock, after `statementTimeoutMs`. If the
 * server has not said even that two seconds later, it is frozen or cut off: `query_timeout` rejects the statement, and the
 * connection is dropped. The server ends a transaction that sits idle for 15 seconds, so that a process that hangs between two
 * statements does not keep its locks.
 *
 * Each pool has its own role and search path. A world's statements name tables without a schema and find those of its own
 * world; a statement that reaches for the other world fails for lack of rights (docs/decisions/0002).
 *
 * Plans. Statements are prepared under their text's name (`sql.ts`) and planned once per connection, whatever the values
 * (`force_generic_plan`): planning costs more than these small statements take to run. The price is that a plan is made from
 * the statistics of that moment, perhaps of an empty table, and for an average partner where the largest has a million rows. A
 * world's statements touch few rows of large tables, so scans and joins that read a whole table are never right, and
 * `inIndexOrder` takes them away from the planner.
 *
 * The filters of one list can be combined into hundreds of statements, and PostgreSQL keeps 0.15 MB of each for every connection. So
 * one that has prepared more than `MOST_PREPARED` is closed when it is given back, and the next begins with none.
 */
export interface Db extends Queryable {
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Connections in use, open and idle, and callers waiting for one; and how many callers have had to wait so far. */
  load(): { used: number; idle: number; waiting: number; waited: number };
  /** Full since a statement failed for lack of room, until a check finds room again (`readiness.ts`). */
  readonly disk: { isFull: boolean };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  name: string;
  /** The session's role: what it may touch is a privilege, not a convention. */
  role?: string;
  searchPath?: string;
  maxConnections?: number;
  /** Limit for a statement, waiting for locks included; 0: none. */
  statementTimeoutMs?: number;
  /** Lists and claims must read an index in its order and stop early, even where the statistics suggest another plan. */
  inIndexOrder?: boolean;
  /** False: a commit does not wait for the disk, and a crash of the server may undo the last of them. Those before stay. */
  waitsForDisk?: boolean;
  /** An error on an idle connection. No caller is waiting for it, so it is only reported. */
  onIdleError?: (error: Error) => void;
}

const WHOLE_TABLE_PLANS = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'] as const;
/** More than all pages, jobs and calls need, each asked in one way. */
export const MOST_PREPARED = 500;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const SILENCE_MS = 2_000;

export function openDatabase(options: DatabaseOptions): Db {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const servers = serversOf(options.url);
  const pool = new pg.Pool({
    Client: Session as unknown as new () => pg.ClientBase,
    ...{ url: options.url, name: options.name, settings: settingsOf(options, statementTimeoutMs) },
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + SILENCE_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  let closed = false;
  const disk = { isFull: false };
  pool.on('error', (error) => closed || options.onIdleError?.(error));
  let waited = 0;
  async function connect(): Promise<pg.PoolClient> {
    if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) waited += 1;
    try {
      return await servers.tryEach(() => pool.connect());
    } catch (error) {
      // Whatever it was, also that all connections were in use for too long: nothing was sent.
      const away = notReached(error, options.url);
      throw away instanceof DatabaseAway ? away : new DatabaseAway('database cannot be reached', { cause: error });
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error;
      if (isDiskFull(error)) disk.isFull = true;
      throw error;
    } finally {
      client.release(broken ?? preparedOn(client) > MOST_PREPARED);
    }
  }

  return {
    ...queries((statement) => withClient((client) => alone(client, statement))),
    tx: (work) => withClient((client) => transaction(client, work)),
    disk,
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

function settingsOf(options: DatabaseOptions, statementTimeoutMs: number): Record<string, string> {
  return {
    ...(options.role && { role: options.role }),
    ...(options.searchPath && searchPathSetting(options.searchPath)),
    ...(options.inIndexOrder && Object.fromEntries(WHOLE_TABLE_PLANS.map((kind) => [`enable_${kind}`, 'off']))),
    ...(options.waitsForDisk === false && { synchronous_commit: 'off' }),
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: '15000',
    timezone: 'UTC',
    plan_cache_mode: 'force_generic_plan',
  };
}

async function alone(client: pg.PoolClient, statement: Sql): Promise<Outcome> {
  const { outcomes, error } = await fly(client, [statement.prepare()]);
  if (error) throw error;
  return outcomes[0] as Outcome;
}

/**
 * A part of a pool: the same database, through at most `connections` of the pool's connections at a time. For work that
 * anyone can cause, so that it cannot keep callers with a key or a session from the rest. The queue has no limit of its own:
 * the callers must have one.
 */
export function shareOf(db: Db, connections: number): Db {
  const turn = bounded({ atOnce: connections, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error('unreachable'));
  return {
    ...db,
    query: (statement) => turn(() => db.query(statement)),
    one: (statement) => turn(() => db.one(statement)),
    maybe: (statement) => turn(() => db.maybe(statement)),
    run: (statement) => turn(() => db.run(statement)),
    tx: (work) => turn(() => db.tx(work)),
  };
}

class Undo extends Error {}

/** Does work to see what it would do, and rolls it back. */
export async function rolledBack<T>(db: Pick<Db, 'tx'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  let done: { readonly result: T } | undefined;
  try {
    await db.tx(async (tx) => {
      done = { result: await work(tx) };
      throw new Undo();
    });
  } catch (error) {
    if (!done || !(error instanceof Undo)) throw error;
  }
  return (done as { readonly result: T }).result;
}
