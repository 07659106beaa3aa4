import { HOUR } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, pinned, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type PartnerOrderFilter, type RefundFilter, refundRowsOf } from './order-filters.ts';

/*
 * Which index a filtered list of a partner's closed orders reads. We decide that here instead of leaving it to PostgreSQL's planner.
 *
 * A list shows the newest orders that match, by id. The plain statement is `where … order by id desc limit 21`. For that the planner
 * likes to walk all orders of the partner from the newest until 21 have matched, because it expects the matches to be spread evenly. If
 * there are none, or all are old, it reads every order of the partner: seconds for 200,000 orders, where the list is otherwise there
 * in milliseconds. Planning each statement for its values does not help (docs/benchmarks.md, "Plain versions", has the figures): the planner
 * then knows how common a value is, but still not where its orders lie. So we do two things before the list is read:
 *
 * 1. A period becomes a range of ids (`idsCreated`). Ids follow time only nearly: a purchase gets its time when it arrives and its id
 *    when its wallet is free, servers' clocks differ, and a test clock that is reset goes back by up to two years. So the order with the
 *    largest id before a time can be any of the earlier ones. An index by partner and week gives the largest (or smallest) id of each
 *    week in one step; only the week in which the period begins or ends is read entry by entry.
 * 2. Of the indexes that could serve the filters we take the one with the fewest entries (`shortestPath`). Each is counted up to a
 *    limit, which takes milliseconds, and only where there is a choice.
 *
 * The statements name one index by their conditions: `pinned` and `offset 0` keep the planner from taking another.
 */

/** Ids from the first to the last, both included. */
export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

const ALL_IDS: IdRange = { first: 1n, last: 2n ** 63n - 1n };

const isAnyId = ({ first, last }: IdRange): boolean => first === ALL_IDS.first && last === ALL_IDS.last;

/** As the index has it: it is only used for the same expression. */
const week = raw(`date_trunc('week', created_at at time zone 'UTC')`);
const isMineAndClosed = (partnerId: number): Sql =>
  sql`${pinned('partner_id', partnerId)} and provision_due_at is null`;
const weekOf = (at: Date): Sql => sql`date_trunc('week', ${at}::timestamptz at time zone 'UTC')`;

/**
 * The ids between which all closed orders created in a period lie; undefined: there are none. Orders of other times can have ids in
 * between, so the caller still compares the time of each.
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

/** A part of an index that holds every closed order wanted, and others. */
interface IndexPath {
  /** Ids of orders, in the order of the index once they are sorted by id. */
  readonly entries: Sql;
  /** Never the shorter one, so it is not counted. */
  readonly isLong?: true;
}

/** How many entries of a path are counted at most. */
const COUNTED = 10_000;

/** The shortest path to the closed orders wanted, as a select of ids that the caller sorts. */
export async function shortestPath(
  db: Queryable,
  partnerId: number,
  filter: PartnerOrderFilter,
  within: IdRange,
): Promise<Sql> {
  const paths = pathsTo(partnerId, filter, within);
  const [first, ...others] = paths;
  if (!first) throw new Error('there is always a path');
  if (others.length === 0) return first.entries;
  const counts = paths.map(({ entries, isLong }, i) => {
    const count = sql`select count(*) from (${entries} limit ${COUNTED}) as entry`;
    return sql`(${isLong ? sql`select ${COUNTED}` : count})::int as ${raw(`"${i}"`)}`;
  });
  const counted = await db.one<Record<string, number>>(sql`select ${counts.reduce((a, b) => sql`${a}, ${b}`)}`);
  const lengths = paths.map((_, i) => counted[i] ?? COUNTED);
  return (paths[lengths.indexOf(Math.min(...lengths))] ?? first).entries;
}

const areIn = (within: IdRange): Sql =>
  isAnyId(within) ? nothing : sql`and id between ${within.first} and ${within.last}`;

/** The better one first: of equally long paths the first is taken. */
function pathsTo(
  partnerId: number,
  { reference, productId, refund, state }: PartnerOrderFilter,
  within: IdRange,
): IndexPath[] {
  const mine = (where: Sql): IndexPath => ({
    entries: sql`select id from orders where ${pinned('partner_id', partnerId)} and ${where} ${areIn(within)}`,
  });
  const paths = [
    ...(reference === undefined ? [] : [mine(sql`${pinned('reference', reference)} and reference <> ''`)]),
    ...(productId === undefined ? [] : [mine(sql`${pinned('product_id', productId)} and provision_due_at is null`)]),
    ...(refund === undefined ? [] : [refundPath(partnerId, refund, within)]),
  ];
  switch (state) {
    case 'failed':
    case 'unfulfilled':
      return [...paths, mine(sql`status = 2`)];
    case 'cancelled':
      return [...paths, mine(sql`cancel_status = 'cancelled'`)];
    case 'refunded':
      return [...paths, mine(sql`refunded > 0`)];
    default:
      return paths.length > 0 ? paths : [{ ...mine(sql`status <> 2`), isLong: true }];
  }
}

/**
 * Refunds have an index by partner and status, which has all that is asked for. The lower end of a range is written as `any`: of
 * two plain ends the planner expects so few rows that it takes the smallest index of the partner, which does not know the status.
 */
function refundPath(partnerId: number, refund: RefundFilter, within: IdRange): IndexPath {
  const { first, last } = within;
  const areWithin = isAnyId(within)
    ? nothing
    : sql`and order_id <= ${last} and order_id >= any(array[${first}]::bigint[])`;
  const ofRows = refundRowsOf(refund).map(
    (row) => sql`
      select order_id as id from refunds
      where ${pinned('partner_id', partnerId)} and ${pinned('status', row)} ${areWithin}`,
  );
  return { entries: sql`select id from (${ofRows.reduce((a, b) => sql`${a} union all ${b}`)}) as refunded` };
}

/**
 * How far the order of ids may differ from the order of times: a purchase gets its time when it arrives and its id when its wallet is
 * free, and servers' clocks differ.
 */
const SLACK_MS = HOUR;

/**
 * The ids between which all orders created in a period lie, over all partners, for a world whose ids follow time. It halves the range
 * of ids until the place is found, some twenty looks into the key, so orders need no index by time. Orders of other times are in
 * between as well: the caller still compares the time of each.
 */
export async function idsAround(
  db: Queryable,
  { from, to }: { readonly from: Date | undefined; readonly to: Date | undefined },
): Promise<Partial<IdRange>> {
  if (from === undefined && to === undefined) return {};
  const { first, end } = await db.one<{ first: bigint | null; end: bigint | null }>(sql`
    select ${from === undefined ? sql`null::bigint` : firstOfAllSince(new Date(from.getTime() - SLACK_MS))} as first,
      ${to === undefined ? sql`null::bigint` : firstOfAllSince(new Date(to.getTime() + SLACK_MS))} as end`);
  return { ...(first !== null && { first }), ...(end !== null && { last: end - 1n }) };
}

/** The id from which on orders are not older than `at`. `id` below is the first order in the upper half of what is left. */
const firstOfAllSince = (at: Date): Sql => sql`(
  with recursive place as (
    select coalesce((select id from orders order by id limit 1), 1) as low,
      coalesce((select id from orders order by id desc limit 1), 0) + 1 as high
    union all
    select case when middle.created_at < ${at} then middle.id + 1 else low end,
      case when middle.created_at < ${at} then high else (low + high) / 2 end
    from place cross join lateral (
      select id, created_at from orders where id >= (low + high) / 2 order by id limit 1
    ) as middle
    where low < high
  ) select low from place where low >= high limit 1)`;
