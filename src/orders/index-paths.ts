import type { Queryable } from '../db/database.ts';
import { pinned } from '../db/pinned.ts';
import { nothing, raw, type Sql, sql } from '../db/sql.ts';
import { type IdRange, isAnyId } from './id-range.ts';
import type { Sought } from './sought.ts';

/** A part of an index that holds every closed order sought, and others. */
interface IndexPath {
  readonly where: Sql;
  /** Never the better choice by its length, so it is not counted. */
  readonly isLong?: true;
}

/** How many entries of a way are counted at most. */
const COUNTED = 10_000;

/**
 * The shortest way to the closed orders sought, as a condition. Statements are planned once for all values (`db/database.ts`), so the
 * planner cannot know that a product is rare, or that half of the orders have the same reference. Counting entries of an index
 * finds out. It takes milliseconds and is done only where there is a choice.
 */
export async function shortestPath(db: Queryable, partnerId: number, sought: Sought, within: IdRange): Promise<Sql> {
  const paths = pathsTo(partnerId, sought).map((path) => ({ ...path, where: sql`${path.where} ${areIn(within)}` }));
  const [first, ...others] = paths;
  if (!first) throw new Error('there is always a way');
  if (others.length === 0) return first.where;
  const counts = paths.map(({ where, isLong }, i) => {
    const count = sql`select count(*) from (select from orders where ${where} limit ${COUNTED}) as entry`;
    return sql`(${isLong ? sql`select ${COUNTED}` : count})::int as ${raw(`"${i}"`)}`;
  });
  const counted = await db.one<Record<string, number>>(sql`select ${counts.reduce((a, b) => sql`${a}, ${b}`)}`);
  const lengths = paths.map((_, i) => counted[i] ?? COUNTED);
  return (paths[lengths.indexOf(Math.min(...lengths))] ?? first).where;
}

const areIn = (within: IdRange): Sql =>
  isAnyId(within) ? nothing : sql`and id between ${within.first} and ${within.last}`;

/** The better one first: of equally long ways the first is taken. */
function pathsTo(partnerId: number, { reference, productId, state }: Sought): IndexPath[] {
  const mine = (where: Sql): IndexPath => ({ where: sql`${pinned('partner_id', partnerId)} and ${where}` });
  const paths = [
    ...(reference === undefined ? [] : [mine(sql`${pinned('reference', reference)} and reference <> ''`)]),
    ...(productId === undefined ? [] : [mine(sql`${pinned('product_id', productId)} and provision_due_at is null`)]),
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
