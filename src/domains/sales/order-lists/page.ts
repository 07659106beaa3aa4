import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, pinned, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type IdRange, idsCreated, shortestPath } from './index-paths.ts';
import { isUsual, matches, type PartnerOrderFilter } from './order-filters.ts';

/** How many orders are looked at for a filter that no index serves. */
export const LOOKED_AT = 5_000;

/**
 * The ids of a page, newest first, as a statement that reads few rows however many orders the partner has. The usual list, an eSIM's
 * orders and those of a batch follow one index. For every other filter, open and closed orders are searched separately: an order enters
 * each of its indexes twice, when it is paid and when it is delivered, so indexes that only a search needs leave open orders out. Open
 * orders are few, and are scanned one by one. Undefined: nothing can match. `lookedTo`: older orders than this were not looked at.
 */
export async function pageOfIds(
  db: Queryable,
  partnerId: number,
  filter: PartnerOrderFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const created = isUsual(filter) || isOfFew(filter) ? undefined : await closedIds(db, partnerId, filter);
  const lookedTo = created && filter.keyId !== undefined ? await bound(db, partnerId, created) : undefined;
  const isBefore = filter.beforeId === undefined ? nothing : sql`and id < ${filter.beforeId}`;
  const isLookedAt = lookedTo === undefined ? nothing : sql`and id >= ${lookedTo}`;
  const fits = sql`partner_id = ${partnerId} ${matches(filter)} ${isBefore} ${isLookedAt}`;
  // A page number of 1 is left out, so that the planner does not prepare for a far one.
  const slice = sql`limit ${limit} ${offset === 0 ? nothing : sql`offset ${offset}`}`;
  if (isUsual(filter)) {
    const mine = sql`select id from orders where ${pinned('partner_id', partnerId)} ${isBefore}`;
    if (filter.state === 'unfailed') return { ids: sql`${mine} and status <> 2 order by id desc ${slice}`, lookedTo };
    return { ids: newest([sql`${mine} and status <> 2`, sql`${mine} and status = 2`]), lookedTo };
  }
  if (isOfFew(filter)) return { ids: sql`select id from orders where ${fits} order by id desc ${slice}`, lookedTo };
  const within = created && { ...created, first: lookedTo ?? created.first };
  const parts = [
    ...(mayBeOpen(filter) ? [openOnes(partnerId, fits)] : []),
    ...(within && mayBeClosed(filter) ? await closedOnes(db, partnerId, filter, within, fits) : []),
  ];
  return parts.length === 0 ? undefined : { ids: newest(parts), lookedTo };

  function newest(found: readonly Sql[]): Sql {
    const firsts = found.map((part) => sql`(${part} order by id desc limit ${limit + offset})`);
    const together = firsts.reduce((all, one) => sql`${all} union all ${one}`);
    return sql`select id from (${together}) as found order by id desc ${slice}`;
  }
}

/** An eSIM has a handful of orders, a batch at most a hundred. */
const isOfFew = ({ iccid, batchId }: PartnerOrderFilter): boolean => iccid !== undefined || batchId !== undefined;

/** The ids between which the closed orders of the page lie; undefined: there are none. */
async function closedIds(db: Queryable, partnerId: number, filter: PartnerOrderFilter): Promise<IdRange | undefined> {
  const created = await idsCreated(db, partnerId, filter);
  const { beforeId } = filter;
  return created && (beforeId === undefined || beforeId > created.last ? created : { ...created, last: beforeId - 1n });
}

/** Where to stop looking: after so many orders, failed or not. Undefined: there are fewer. */
async function bound(db: Queryable, partnerId: number, { first, last }: IdRange): Promise<bigint | undefined> {
  const nth = (where: Sql) => sql`(
    select id from orders where ${pinned('partner_id', partnerId)} and ${where} and id between ${first} and ${last}
    order by id desc offset ${LOOKED_AT - 1} limit 1)`;
  const { id } = await db.one<{ id: bigint | null }>(sql`
    select max(id) as id from (${nth(sql`status <> 2`)} union all ${nth(sql`status = 2`)}) as nth`);
  return id ?? undefined;
}

const closedStates: readonly PartnerOrderFilter['state'][] = ['delivered', 'failed', 'unfulfilled', 'cancelled'];
const mayBeOpen = ({ state }: PartnerOrderFilter): boolean => !closedStates.includes(state);
const mayBeClosed = ({ state }: PartnerOrderFilter): boolean => state !== 'paid' && state !== 'deferred';

/** `offset 0` here and below keeps the planner from choosing another index by the conditions and the order outside. */
const openOnes = (partnerId: number, fits: Sql): Sql => sql`
  select id from (
    select id from orders where ${pinned('partner_id', partnerId)} and provision_due_at is not null and ${fits} offset 0
  ) as open`;

/** Follows one index in the order of ids until the page is full; failed orders are not in the index of the usual list. */
async function closedOnes(
  db: Queryable,
  partnerId: number,
  filter: PartnerOrderFilter,
  within: IdRange,
  fits: Sql,
): Promise<Sql[]> {
  const { state, reference, productId, refund } = filter;
  const isApart = state === undefined && reference === undefined && productId === undefined && refund === undefined;
  const states = isApart ? (['unfailed', 'unfulfilled'] as const) : [state];
  const paths = await Promise.all(states.map((one) => shortestPath(db, partnerId, { ...filter, state: one }, within)));
  return paths.map(
    (way) => sql`
  select entry.id from (${way} order by id desc offset 0) as entry
  cross join lateral (
    select from orders where orders.id = entry.id and provision_due_at is null and ${fits} limit 1
  ) as fits`,
  );
}
