import type { Queryable } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { type IdRange, idsCreated } from './id-range.ts';
import { isSought, isUsual, type Sought } from './sought.ts';
import { shortestWay } from './ways.ts';

/**
 * The ids of a page, newest first, as a statement that reads few rows however many orders the partner has: it follows one index in
 * the order of ids until the page is full. `offset 0` keeps the planner from choosing that index by the conditions on the row.
 * Undefined: nothing can match.
 */
export async function pageOfIds(
  db: Queryable,
  partnerId: number,
  sought: Sought,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Sql | undefined> {
  const created = await idsCreated(db, partnerId, sought);
  if (!created) return undefined;
  const within = before(created, sought.beforeId);
  const where = await shortestWay(db, partnerId, sought, within);
  const entries = sql`select id from orders where ${where} order by id desc`;
  // A page number of 1 is left out, so that the planner does not prepare for a far one.
  const slice = sql`limit ${limit} ${offset === 0 ? nothing : sql`offset ${offset}`}`;
  if (isUsual(sought)) return sql`${entries} ${slice}`;
  return sql`
    select entry.id from (${entries} offset 0) as entry
    cross join lateral (select from orders where orders.id = entry.id and ${isSought(partnerId, sought)} limit 1) as fits
    order by entry.id desc ${slice}`;
}

const before = ({ first, last }: IdRange, beforeId: bigint | undefined): IdRange =>
  beforeId === undefined || beforeId > last ? { first, last } : { first, last: beforeId - 1n };
