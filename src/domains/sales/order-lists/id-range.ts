import type { Queryable } from '../../../platform/db/database.ts';
import { pinned } from '../../../platform/db/query/pinned.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Ids from the first to the last, both included. */
export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

const ALL_IDS: IdRange = { first: 1n, last: 2n ** 63n - 1n };

export const isAnyId = ({ first, last }: IdRange): boolean => first === ALL_IDS.first && last === ALL_IDS.last;

/** As the index has it: it is only used for the same expression. */
const week = raw(`date_trunc('week', created_at at time zone 'UTC')`);
const isMineAndClosed = (partnerId: number): Sql =>
  sql`${pinned('partner_id', partnerId)} and provision_due_at is null`;
const weekOf = (at: Date): Sql => sql`date_trunc('week', ${at}::timestamptz at time zone 'UTC')`;

/**
 * The ids between which all closed orders created in a period lie; undefined: there are none.
 *
 * Lists are sorted by id, and ids follow time only nearly: a purchase gets its time when it arrives and its id when its wallet is
 * free, servers' clocks differ, and a test clock that is reset goes back by up to two years. So any of the orders before a time can
 * be the one with the largest id, and reading them all may mean a million. The largest id of each week is enough: that is one look
 * into the index for every week in which the partner bought something. Only the week of the time itself is searched entry by
 * entry. Orders of other times can have ids in between, so the caller still compares the time of each.
 */
export async function idsCreated(
  db: Queryable,
  partnerId: number,
  { from, to }: { readonly from?: Date | undefined; readonly to?: Date | undefined },
): Promise<IdRange | undefined> {
  if (from === undefined && to === undefined) return ALL_IDS;
  const { first, last } = await db.one<{ first: bigint | null; last: bigint | null }>(sql`
    select ${from === undefined ? sql`${ALL_IDS.first}::bigint` : firstSince(partnerId, from)} as first,
      ${to === undefined ? sql`${ALL_IDS.last}::bigint` : lastBefore(partnerId, to)} as last`);
  return first === null || last === null || first > last ? undefined : { first, last };
}

const lastBefore = (partnerId: number, to: Date): Sql => sql`(
  with recursive weeks as (
    select ${weekOf(to)} as week, (
      select id from orders where ${isMineAndClosed(partnerId)} and ${week} = ${weekOf(to)} and created_at < ${to}
      order by id desc limit 1
    ) as id
    union all
    select earlier.week, earlier.id from weeks cross join lateral (
      select ${week} as week, id from orders where ${isMineAndClosed(partnerId)} and ${week} < weeks.week
      order by ${week} desc, id desc limit 1
    ) as earlier
  ) select max(id) from weeks)`;

const firstSince = (partnerId: number, from: Date): Sql => sql`(
  with recursive weeks as (
    select ${weekOf(from)} as week, (
      select id from orders where ${isMineAndClosed(partnerId)} and ${week} = ${weekOf(from)} and created_at >= ${from}
      order by id limit 1
    ) as id
    union all
    select later.week, later.id from weeks cross join lateral (
      select ${week} as week, id from orders where ${isMineAndClosed(partnerId)} and ${week} > weeks.week
      order by ${week}, id limit 1
    ) as later
  ) select min(id) from weeks)`;
