import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, pinned, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isCancelled, states } from '../orders/orders.ts';
import { type IdRange, idsAround } from './index-paths.ts';
import { type ListedOrder, listed } from './lookup.ts';
import { type AllOrdersFilter, isRefunded, matches } from './order-filters.ts';
import { LOOKED_AT } from './page.ts';
import { newestReferred, spelledLike } from './spellings.ts';

/** The newest orders that match. */
export const listOrders = async (db: Queryable, filter: AllOrdersFilter): Promise<ListedOrder[]> => [
  ...(await pageOfAll(db, { ...filter, limit: filter.limit }, false)).orders,
];

/**
 * One page, newest first. Each state has its own index to read from, of one partner and of all, so the cost does not depend on how
 * many orders there are: those that were never paid or failed (created, failed) are in one, those that were refunded in another;
 * open ones are those with a due time; all others are delivered. Supplier, plan, destination and time have no index over all
 * partners: for these a number of orders is looked through, and `lookedTo` says how far that went. `idsFollowTime`: the world has
 * no test clocks.
 */
export async function pageOfAll(db: Queryable, filter: AllOrdersFilter, idsFollowTime: boolean) {
  const { limit, reference, partnerId, inAnyCase } = filter;
  const written = inAnyCase && reference !== undefined ? await spelledLike(db, partnerId, reference) : undefined;
  const references = written ?? (reference === undefined ? [] : [reference]);
  if (written?.length === 0) return { orders: [], hasMore: false, lookedTo: undefined };
  const rest = notIndexed(filter);
  const range = idsFollowTime ? await idsAround(db, { from: filter.from, to: filter.to }) : {};
  const most = rest === nothing ? limit + 1 : LOOKED_AT;
  // `limit 1` makes the planner fetch row by row; by averages it would rather read the whole table along its key.
  const rows = await db.query<Partial<ListedOrder> & { lookedAt: number; lookedTo: bigint | null }>(sql`
    with looked as materialized (
      select id from (${newestIds({ ...filter, references }, within(filter, range), most)}) as matching order by id desc limit ${most}
    ), far as materialized (select count(*)::int as n, min(id) as id from looked)
    select far.n as "lookedAt", far.id as "lookedTo", found.* from far left join lateral (
      select found.* from looked cross join lateral (
        select ${listed} from orders where orders.id = looked.id ${rest} limit 1
      ) as found order by found.id desc limit ${limit + 1}
    ) as found on true order by found.id desc`);
  const orders = rows.flatMap(({ lookedAt, lookedTo, ...order }) => (order.id ? [order as ListedOrder] : []));
  const [far] = rows;
  const hasMore = orders.length > limit;
  const isCutOff = rest !== nothing && !hasMore && far?.lookedAt === most;
  return { orders: orders.slice(0, limit), hasMore, lookedTo: (isCutOff && far.lookedTo) || undefined };
}

function newestIds(
  filter: AllOrdersFilter & { readonly references: readonly string[] },
  inRange: Sql,
  most: number,
): Sql {
  const { partnerId, references, iccid, batchId, state } = filter;
  /** Where there is an index of one partner and another of all. */
  const mine = partnerId === undefined ? nothing : sql`and ${pinned('partner_id', partnerId)}`;
  const newest = (where: Sql, order = sql`id desc`) =>
    sql`(select id from orders where ${where} ${inRange} order by ${order} limit ${most})`;
  if (iccid !== undefined || batchId !== undefined) {
    const haveReference = references.length === 0 ? nothing : sql`and reference = any(${references}::text[])`;
    // An eSIM has a handful of orders, a batch at most a hundred, so they are sorted rather than searched along the key.
    return sql`select id from (
      select id from orders where true ${matches({ iccid, batchId, partnerId, state })} ${haveReference} ${inRange} offset 0
    ) as of_few`;
  }
  // One by one, so that each follows the index: that of the partner, or that of all.
  if (references.length > 0)
    return references
      .map((one) => newestReferred(one, sql`${mine} ${matches({ state })} ${inRange}`, most))
      .reduce((all, one) => sql`${all} union all ${one}`);
  switch (state) {
    case undefined:
      return partnerId === undefined
        ? newest(sql`true`)
        : sql`${newest(sql`status <> 2 ${matches({ partnerId })}`)} union all ${newest(sql`status = 2 ${matches({ partnerId })}`)}`;
    case 'delivered':
      return newest(sql`status <> 2 ${matches({ partnerId, state })}`);
    case 'open':
    case 'overdue':
    case 'held':
    case 'paid':
    case 'deferred':
      return newest(sql`provision_due_at is not null ${matches({ partnerId, state })}`);
    case 'cancelled':
      // So few that they are sorted.
      return sql`select id from (select id from orders where true ${matches({ partnerId, state })} ${inRange} offset 0) as cancelled`;
    case 'created':
    case 'failed':
      // By id alone, the planner would walk all orders if many failed, and it would walk far if those are old. Only the indexes of these
      // states have this order. The same goes for what was refunded.
      return newest(
        sql`status = any(${[states[state].status]}::int[]) and status in (2, 3)
          ${state === 'failed' ? sql`and not ${isCancelled}` : nothing} ${mine}`,
        sql`status, id desc`,
      );
    case 'refunded':
      return newest(sql`${isRefunded} ${mine}`, partnerId === undefined ? sql`(refunded > 0), id desc` : undefined);
  }
}

function within({ beforeId }: AllOrdersFilter, { first, last }: Partial<IdRange>): Sql {
  const isBefore = beforeId === undefined ? nothing : sql`and id < ${beforeId}`;
  const isSince = first === undefined ? nothing : sql`and id >= ${first}`;
  const isUntil = last === undefined ? nothing : sql`and id <= ${last}`;
  return sql`${isBefore} ${isSince} ${isUntil}`;
}

/** The conditions each order is checked against; `nothing`: the indexes suffice. */
const notIndexed = ({ supplier, productId, countryCode, from, to }: AllOrdersFilter): Sql =>
  matches({ supplier, productId, countryCode, from, to });
