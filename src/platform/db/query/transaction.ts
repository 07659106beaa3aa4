import type pg from 'pg';
import { isConnectionError } from '../database-errors.ts';
import { fly, type Outcome } from './flight.ts';
import { raw, type Sql, type Statement } from './sql.ts';

/** Something statements run on. Rows are plain objects; int8 is bigint, timestamptz is Date. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>;
  /** Exactly one row; any other number is a bug and throws. */
  one<Row>(statement: Sql): Promise<Row>;
  maybe<Row>(statement: Sql): Promise<Row | undefined>;
  /** Number of rows the statement touched. */
  run(statement: Sql): Promise<number>;
}

export function queries(run: (statement: Sql) => Promise<Outcome>): Queryable {
  const query = (statement: Sql) =>
    run(statement).catch((error) => {
      // A stack that leads to the caller instead of the socket the answer came on.
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

/**
 * A transaction on one connection.
 *
 * Grouping. A statement is not sent when it is started; it is put in `waiting`, and `send` runs on the next tick. Everything
 * started until then, that is before the program waits for something outside itself, travels in one flight. So
 * `await Promise.all([tx.run(a), tx.run(b)])` is one round trip, and two awaits in a row are two. The server runs a flight's
 * statements in the order they were started. `begin` is put in `waiting` before the work starts, so it never costs a round trip.
 *
 * A transaction is in one of three states, which `over` and `committing` say:
 * - open: both are undefined, statements run;
 * - committing: `commit` was called, by the work or by us when the work returned. `over` is `ENDED`: a statement started now
 *   is rejected, because it would run after the transaction, on its own;
 * - failed: a statement or the work itself threw. `over` is that first error, and rejects whatever is started from then on.
 *
 * Why `over` exists: work often does things side by side. If one of them fails, `Promise.all` rejects at once and we roll back,
 * but the others go on and may start more statements. Without `over` those would be sent after the rollback, outside any
 * transaction, or into the transaction of the connection's next user.
 *
 * What a failed statement leaves behind: the server skips the rest of its flight, `commit` included, so nothing of it is kept.
 * A failure the work swallowed cannot be committed either: `commit` is rejected with that failure. Should a `commit` reach
 * the server in a failed transaction anyway, the server answers ROLLBACK, and we throw on anything but COMMIT.
 *
 * A connection error is the one case with an unknown outcome: the commit may have happened. We do not roll back (the server
 * does when the connection ends), and the caller has to find out by a key or a state it can read.
 */

declare const inTransaction: unique symbol;

/**
 * An open transaction. A function that writes takes one, and makes no network call while it holds it. Statements started
 * together run in the order they were started, in one round trip.
 */
export interface Tx extends Queryable {
  readonly [inTransaction]: true;
  /** Commits in one round trip with the statements started just before it. Nothing may follow. Optional: the end of the work commits too. */
  commit(): Promise<void>;
}

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

const BEGIN = raw('begin');
const COMMIT = raw('commit');
const ROLLBACK = raw('rollback');
/** Made once, because every transaction needs it and an error's stack costs time. */
const ENDED = new Error('the transaction has ended');

export async function transaction<T>(client: pg.ClientBase, work: (tx: Tx) => Promise<T>): Promise<T> {
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;
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
    const { outcomes, error } = await fly(
      client,
      sent.map(({ statement }) => statement),
    );
    for (const [i, outcome] of outcomes.entries()) sent[i]?.resolve(outcome);
    if (!error) return;
    over ??= error;
    const [failed, ...skipped] = sent.slice(outcomes.length);
    failed?.reject(error);
    // A caller that waits for several of them should get the real failure first.
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

  // Not awaited: what follows runs after it, and fails with it.
  run(BEGIN).catch(() => {});
  try {
    const result = await work({ ...queries(runInside), commit } as Tx);
    await commit();
    return result;
  } catch (error) {
    over ??= error as Error;
    // The first error is the one to report, so a failing rollback is ignored.
    if (!isConnectionError(error)) await run(ROLLBACK).catch(() => {});
    throw error;
  }
}
