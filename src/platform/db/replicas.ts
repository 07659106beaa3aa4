import { setTimeout as pause } from 'node:timers/promises';
import { type Db, isTimedOut, type Queryable } from './database.ts';
import { batcher } from './query/batch.ts';
import { sql } from './query/sql.ts';

/** What a world reads from: the primary, and replicas for what takes longer. */
export interface Readers {
  readonly db: Db;
  /** The primary itself where there are no replicas. */
  readonly reads: Queryable;
}

/** Who answered a read, and if it was the primary, why. */
type ReadBy = 'replica' | 'primary_replica_behind' | 'primary_replica_away';

/** How long a read waits for a replica to catch up. They are milliseconds behind, or something is wrong with them. */
const CATCH_UP_MS = 50;
const LOOK_AGAIN_MS = 2;
/** How long a replica that failed or fell behind is left alone: otherwise every read would wait for it in vain. */
const LEFT_ALONE_MS = 5_000;
const ASKED_TOGETHER = 1_000;

/**
 * Reads on replicas that always include the caller's own writes, whichever process made them.
 *
 * PostgreSQL numbers every byte of its log. A read first learns how far the primary's log was safe on disk after the read had come in;
 * every commit that was acknowledged before lies below that position. Then it goes to a replica that has replayed the log up to
 * there. If none gets there in time or none can be reached, the primary answers. Both positions cost a short round trip, shared by all
 * reads that wait for one: worth it for lists, sums and pages, not for one row by its key, which is read on the primary.
 *
 * A replica may also end a statement because what it reads was cleaned up on the primary; the primary then reads it again.
 */
export function readsOn(primary: Db, replicas: readonly Db[], count: (by: ReadBy) => void): Queryable {
  if (replicas.length === 0) return primary;
  const written = together(() => position(primary, sql`pg_current_wal_flush_lsn()`));
  const followers = replicas.map(follower);
  let turn = 0;

  async function read<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    turn += 1;
    const inTurn = followers.map((_, i) => followers[(turn + i) % followers.length] as Follower);
    const next = inTurn.find(({ leftAlone }) => performance.now() - leftAlone.since >= LEFT_ALONE_MS);
    const answered = (by: ReadBy): Promise<T> => {
      if (next) next.leftAlone = { since: performance.now(), by };
      count(by);
      return work(primary);
    };
    if (!next) return answered(inTurn[0]?.leftAlone.by ?? 'primary_replica_away');
    const wanted = await written();
    try {
      if (!(await next.hasReached(wanted))) return answered('primary_replica_behind');
      const result = await work(next.db);
      count('replica');
      return result;
    } catch (error) {
      // It took as long as a statement may take, and would there, too.
      if (isTimedOut(error)) throw error;
      return answered('primary_replica_away');
    }
  }

  return {
    query: (statement) => read((db) => db.query(statement)),
    one: (statement) => read((db) => db.one(statement)),
    maybe: (statement) => read((db) => db.maybe(statement)),
    run: (statement) => primary.run(statement),
  };
}

type Follower = ReturnType<typeof follower>;

function follower(db: Db) {
  // One that was promoted replays nothing any more. What it has by now may be another history.
  const replayed = together(() => position(db, sql`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end`));
  let known = 0n;
  return {
    db,
    /** Since when, and why. */
    leftAlone: { since: -LEFT_ALONE_MS, by: 'primary_replica_away' as ReadBy },
    /** Whether it has replayed the log up to there, or does so in time. */
    async hasReached(wanted: bigint): Promise<boolean> {
      const end = performance.now() + CATCH_UP_MS;
      while (known < wanted) {
        known = await replayed();
        if (known >= wanted) break;
        if (performance.now() >= end) return false;
        await pause(LOOK_AGAIN_MS);
      }
      return true;
    },
  };
}

/** Queried once for all that wait, and always after each of them began to. */
const together = (ask: () => Promise<bigint>): (() => Promise<bigint>) => {
  const shared = batcher<undefined, bigint>(
    async (waiting) => {
      const answer = await ask();
      return waiting.map(() => answer);
    },
    { max: ASKED_TOGETHER },
  );
  return () => shared(undefined);
};

/** In bytes from the beginning of the log. */
async function position(db: Queryable, lsn: ReturnType<typeof sql>): Promise<bigint> {
  const { bytes } = await db.one<{ bytes: bigint | null }>(sql`select ((${lsn}) - '0/0'::pg_lsn)::int8 as bytes`);
  if (bytes === null) throw new Error('this server is not a replica');
  return bytes;
}

/** Functions whose first argument is given: `bound(db, { find: findOrder })` has `find(orderId)` for `findOrder(db, orderId)`. */
export const bound = <First, Functions extends Readonly<Record<string, (first: First, ...rest: never[]) => unknown>>>(
  first: First,
  functions: Functions,
) =>
  Object.fromEntries(
    Object.entries(functions).map(([name, run]) => [name, (...rest: never[]) => run(first, ...rest)]),
  ) as {
    readonly [Name in keyof Functions]: Functions[Name] extends (first: First, ...rest: infer Rest) => infer Result
      ? (...rest: Rest) => Result
      : never;
  };
