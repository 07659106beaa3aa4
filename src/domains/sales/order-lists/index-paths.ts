import type { Queryable } from '../../../platform/db/database.ts';
import { pinned } from '../../../platform/db/query/pinned.ts';
import { nothing, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type IdRange, isAnyId } from './id-range.ts';
import { type PartnerOrderFilter, type RefundFilter, refundRowsOf } from './order-filters.ts';

/** A part of an index that holds every closed order that matches, and others. */
interface IndexPath {
  /** Ids of orders, in the order of the index once they are sorted by id. */
  readonly entries: Sql;
  /** Never the shorter one, so it is not counted. */
  readonly isLong?: true;
}

/** How many entries of a way are counted at most. */
const COUNTED = 10_000;

/**
 * The shortest way to the closed orders that match, as a select of ids that the caller sorts. Statements are planned once for all
 * values (`platform/db/database.ts`), so the planner cannot know that a product is rare, or that half of the orders have the same reference.
 * Counting entries of an index finds out. It takes milliseconds and is done only where there is a choice.
 */
export async function shortestPath(
  db: Queryable,
  partnerId: number,
  filter: PartnerOrderFilter,
  within: IdRange,
): Promise<Sql> {
  const paths = pathsTo(partnerId, filter, within);
  const [first, ...others] = paths;
  if (!first) throw new Error('there is always a way');
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

/** The better one first: of equally long ways the first is taken. */
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
      return [...paths, mine(sql`status = 2`)];
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
