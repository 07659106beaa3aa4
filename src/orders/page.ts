import type { Queryable } from '../db/database.ts';
import { pinned } from '../db/pinned.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { idsCreated } from './id-range.ts';
import { isSought, isUsual, type Sought } from './sought.ts';
import { shortestWay } from './ways.ts';

/**
 * The ids of a page, newest first, as a statement that reads few rows however many orders the partner has. The usual list and an eSIM's
 * orders follow one index. For every other filter, orders that are still open and closed ones are sought apart: an order enters
 * each of its indexes twice, when it is paid and when it is delivered, so those that only a search needs leave open orders out. Open
 * orders are few, and are looked through one by one. Undefined: nothing can match.
 */
export async function pageOfIds(
  db: Queryable,
  partnerId: number,
  sought: Sought,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Sql | undefined> {
  const isBefore = sought.beforeId === undefined ? nothing : sql`and id < ${sought.beforeId}`;
  const fits = sql`${isSought(partnerId, sought)} ${isBefore}`;
  // A page number of 1 is left out, so that the planner does not prepare for a far one.
  const slice = sql`limit ${limit} ${offset === 0 ? nothing : sql`offset ${offset}`}`;
  if (isUsual(sought)) {
    const listed = sql`${pinned('partner_id', partnerId)} and status <> 2 ${isBefore}`;
    return sql`select id from orders where ${listed} order by id desc ${slice}`;
  }
  // An eSIM has a handful of orders.
  if (sought.iccid !== undefined) return sql`select id from orders where ${fits} order by id desc ${slice}`;
  const parts = [
    ...(mayBeOpen(sought) ? [openOnes(partnerId, fits)] : []),
    ...(mayBeClosed(sought) ? await closedOnes(db, partnerId, sought, fits) : []),
  ];
  const firsts = parts.map((part) => sql`(${part} order by id desc limit ${limit + offset})`);
  if (firsts.length === 0) return undefined;
  const together = firsts.reduce((all, one) => sql`${all} union all ${one}`);
  return sql`select id from (${together}) as found order by id desc ${slice}`;
}

const mayBeOpen = ({ state }: Sought): boolean => state !== 'delivered' && state !== 'failed';
const mayBeClosed = ({ state }: Sought): boolean => state !== 'paid' && state !== 'deferred';

/** `offset 0` here and below keeps the planner from choosing another index by the conditions and the order outside. */
const openOnes = (partnerId: number, fits: Sql): Sql => sql`
  select id from (
    select id from orders where ${pinned('partner_id', partnerId)} and provision_due_at is not null and ${fits} offset 0
  ) as open`;

/** Follows one index in the order of ids until the page is full. */
async function closedOnes(db: Queryable, partnerId: number, sought: Sought, fits: Sql): Promise<Sql[]> {
  const created = await idsCreated(db, partnerId, sought);
  if (!created) return [];
  const { beforeId } = sought;
  const last = beforeId === undefined || beforeId > created.last ? created.last : beforeId - 1n;
  const way = await shortestWay(db, partnerId, sought, { ...created, last });
  return [
    sql`
  select entry.id from (select id from orders where ${way} order by id desc offset 0) as entry
  cross join lateral (
    select from orders where orders.id = entry.id and provision_due_at is null and ${fits} limit 1
  ) as fits`,
  ];
}
