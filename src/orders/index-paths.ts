import type { Queryable } from '../db/database.ts';
import { pinned } from '../db/pinned.ts';
import { nothing, raw, type Sql, sql } from '../db/sql.ts';
import { type IdRange, isAnyId } from './id-range.ts';
import type { Sought } from './sought.ts';

/** A part of an index that holds every closed order sought, and others. */
interface IndexPath {
  /** Ids of orders, in the order of the index once they are sorted by id. */
  readonly entries: Sql;
  /** Never the better choice by its length, so it is not counted. */
  readonly isLong?: true;
}

/** `refundRow`: of the refunds sought, those that are written like this. */
export type SoughtOnWay = Sought & { readonly refundRow?: string | undefined };

/** How many entries of a way are counted at most. */
const COUNTED = 10_000;

/**
 * The shortest way to the closed orders sought, as a statement to which an order of ids can be added. Statements are planned once for all values (`db/database.ts`), so the
 * planner cannot know that a product is rare, or that half of the orders have the same reference. Counting entries of an index
 * finds out. It takes milliseconds and is done only where there is a choice.
 */
export async function shortestPath(
  db: Queryable,
  partnerId: number,
  sought: SoughtOnWay,
  within: IdRange,
): Promise<Sql> {
  const paths = pathsTo(partnerId, sought, within);
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

const areIn = (id: Sql, within: IdRange): Sql =>
  isAnyId(within) ? nothing : sql`and ${id} between ${within.first} and ${within.last}`;

/** The better one first: of equally long ways the first is taken. */
function pathsTo(
  partnerId: number,
  { reference, productId, refundRow, state }: SoughtOnWay,
  within: IdRange,
): IndexPath[] {
  const mine = (where: Sql): IndexPath => ({
    entries: sql`select id from orders where ${pinned('partner_id', partnerId)} and ${where} ${areIn(sql`id`, within)}`,
  });
  const refunded = (status: string): IndexPath => ({
    entries: sql`select order_id as id from refunds
      where ${pinned('partner_id', partnerId)} and ${pinned('status', status)} ${areIn(sql`order_id`, within)}`,
  });
  const paths = [
    ...(reference === undefined ? [] : [mine(sql`${pinned('reference', reference)} and reference <> ''`)]),
    ...(productId === undefined ? [] : [mine(sql`${pinned('product_id', productId)} and provision_due_at is null`)]),
    ...(refundRow === undefined ? [] : [refunded(refundRow)]),
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
