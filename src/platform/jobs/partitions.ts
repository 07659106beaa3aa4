import { type Clock, HOUR } from '../clock.ts';
import { type Db, type Queryable, sqlState, type Tx } from '../db/database.ts';
import { raw, sql } from '../db/query/sql.ts';
import type { Job } from './runner.ts';

/*
 * Logs in partitions by month, dated by `at` (docs/decisions/0011). This job makes the months ahead, and drops those whose last row is
 * past its time. What is finer than a month, each log removes itself, row by row.
 *
 * A row that no month takes goes to the partition `…_default`: nothing is lost if this job did not run for a while, or if a process's
 * clock is wrong. When its month is made, it moves there.
 *
 * Making a month locks only the default partition. Dropping one locks the whole log for a moment: the month is detached first, and its
 * files are deleted once no one can be waiting for the log. (`detach … concurrently` needs no such lock, but PostgreSQL refuses it for a
 * table with a default partition.) If a lock is not free soon, for instance during a backup, the job tries again an hour later.
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

/** Makes what is missing and drops what is too old: nearly always nothing, which takes one look without a lock. */
export async function keepMonths(db: Db, log: MonthlyLog, now: number): Promise<void> {
  const months = await monthsOf(db, log);
  if (missingIn(months, now).length === 0 && !months.some((month) => !month.isAttached || isOver(month, log, now)))
    return;
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

async function makeMonths(tx: Tx, log: MonthlyLog, now: number): Promise<void> {
  const { schema, table } = log;
  for (const { from, until } of missingIn(await monthsOf(tx, log), now)) {
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
  const { schema, table } = log;
  for (const month of await monthsOf(tx, log))
    if (isOver(month, log, now))
      await tx.run(raw(`alter table ${schema}.${table} detach partition ${schema}.${month.name}`));
}

/** Those that were just detached, or before a kill. */
async function dropDetached(tx: Tx, log: MonthlyLog): Promise<void> {
  for (const { name, isAttached } of await monthsOf(tx, log))
    if (!isAttached) await tx.run(raw(`drop table ${log.schema}.${name}`));
}

interface Month {
  readonly from: Date;
  readonly until: Date;
}

type Partition = { readonly name: string } & (({ readonly isAttached: true } & Month) | { readonly isAttached: false });

/** All but the default one. */
function monthsOf(db: Queryable, { schema, table }: MonthlyLog): Promise<Partition[]> {
  return db.query(sql`
    select relname::text as name, relispartition as "isAttached",
      coalesce(substring(bound from 'FROM [(]''(.+?)''')::timestamptz, 'epoch') as from,
      substring(bound from 'TO [(]''(.+?)''')::timestamptz as until
    from pg_class, lateral (select pg_get_expr(relpartbound, oid) as bound) as bounds
    where relnamespace = ${schema}::regnamespace and relkind = 'r' and starts_with(relname::text, ${`${table}_`})
      and relname ~ ${`^${table}_(before|\\d{4}_\\d\\d)$`}`);
}

const isOver = (partition: Partition, { keptMs }: MonthlyLog, now: number): boolean =>
  partition.isAttached && partition.until.getTime() <= now - keptMs;

function missingIn(partitions: readonly Partition[], now: number): Month[] {
  return Array.from({ length: AHEAD + 1 }, (_, i) => ({ from: monthOf(now, i), until: monthOf(now, i + 1) })).filter(
    ({ from, until }) => !partitions.some((other) => other.isAttached && other.from < until && other.until > from),
  );
}

const monthOf = (now: number, later: number): Date => {
  const at = new Date(now);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later));
};
