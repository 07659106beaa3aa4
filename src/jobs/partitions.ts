import { type Clock, HOUR } from '../clock.ts';
import { type Db, type Queryable, sqlState, type Tx } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import type { Job } from './runner.ts';

/*
 * Logs in partitions by month, dated by `at` (docs/decisions/0011). This job makes the months ahead, and drops those whose last row is
 * past its time. What is finer than a month, each log removes itself, row by row.
 *
 * A row that no month takes goes to the partition `…_default`: nothing is lost if this job did not run for a while, or if a process's
 * clock is wrong. When its month is made, it moves there.
 *
 * Making a month locks only the default partition. Dropping one locks the whole log for a moment: the month is detached first, and its
 * files are deleted when nobody can be waiting for the log. (`detach … concurrently` would avoid that lock, but PostgreSQL does not allow it
 * on a table with a default partition.) If a lock is not free soon, for instance during a backup, the job tries again an hour later.
 */
export interface MonthlyLog {
  readonly schema: string;
  readonly table: string;
  readonly keptMs: number;
}

/** Months there are after the current one. */
const AHEAD = 2;
/** How long others may have to wait behind us. */
const LOCK_MS = 200;
/** Any fixed number: the process that holds this advisory lock changes partitions. */
const PARTITIONS_LOCK = 7_203_913;
const BLOCKED = '55P03';

/** `db` is the owner's. */
export const partitionsJob = (db: Db, logs: readonly MonthlyLog[], clock: Clock): Job => ({
  name: 'partitions',
  everyMs: HOUR,
  async run() {
    for (const log of logs) await keepMonths(db, log, clock.now());
    return 0;
  },
});

/** Makes what is missing and drops what is too old. */
export async function keepMonths(db: Db, log: MonthlyLog, now: number): Promise<void> {
  await ifNotBlocked(db, (tx) => makeMonths(tx, log, now));
  await ifNotBlocked(db, (tx) => detachMonths(tx, log, now));
  await ifNotBlocked(db, (tx) => dropDetached(tx, log));
}

async function ifNotBlocked(db: Db, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await db.tx(async (tx) => {
      await tx.run(raw(`set local lock_timeout = ${LOCK_MS}`));
      const { held } = await tx.one<{ held: boolean }>(
        sql`select pg_try_advisory_xact_lock(${PARTITIONS_LOCK}) as held`,
      );
      if (held) await work(tx);
    });
  } catch (error) {
    if (sqlState(error) !== BLOCKED) throw error;
  }
}

async function makeMonths(tx: Tx, { schema, table, ...log }: MonthlyLog, now: number): Promise<void> {
  const partitions = await partitionsOf(tx, { schema, table, ...log });
  for (let i = 0; i <= AHEAD; i++) {
    const [from, until] = [monthOf(now, i), monthOf(now, i + 1)];
    if (partitions.some((other) => other.from < until && other.until > from)) continue;
    const [first, end] = [`'${from.toISOString()}'`, `'${until.toISOString()}'`];
    const month = `${schema}.${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`;
    await tx.run(
      raw(
        `create table ${month} (like ${schema}.${table} including constraints) with (autovacuum_vacuum_scale_factor = 0.05)`,
      ),
    );
    await tx.run(
      raw(`with moved as (delete from ${schema}.${table}_default where at >= ${first} and at < ${end} returning *)
        insert into ${month} select * from moved`),
    );
    await tx.run(
      raw(`alter table ${schema}.${table} attach partition ${month} for values from (${first}) to (${end})`),
    );
  }
}

async function detachMonths(tx: Tx, log: MonthlyLog, now: number): Promise<void> {
  const { schema, table, keptMs } = log;
  for (const { name, until } of await partitionsOf(tx, log))
    if (until.getTime() <= now - keptMs)
      await tx.run(raw(`alter table ${schema}.${table} detach partition ${schema}.${name}`));
}

/** Those that were just detached, or before a kill. */
async function dropDetached(tx: Tx, { schema, table }: MonthlyLog): Promise<void> {
  const detached = await tx.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = ${schema}::regnamespace and relkind = 'r' and not relispartition
      and relname ~ ${`^${table}_(before|\\d{4}_\\d\\d)$`}`);
  for (const { name } of detached) await tx.run(raw(`drop table ${schema}.${name}`));
}

interface Partition {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
}

/** All but the default one. */
function partitionsOf(db: Queryable, { schema, table }: MonthlyLog): Promise<Partition[]> {
  return db.query(sql`
    select relname::text as name, coalesce(substring(bound from 'FROM [(]''(.+?)''')::timestamptz, 'epoch') as from,
      substring(bound from 'TO [(]''(.+?)''')::timestamptz as until
    from pg_inherits join pg_class on oid = inhrelid, lateral (select pg_get_expr(relpartbound, oid) as bound) as bounds
    where inhparent = ${`${schema}.${table}`}::regclass and bound <> 'DEFAULT'`);
}

const monthOf = (now: number, later: number): Date => {
  const at = new Date(now);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later));
};
