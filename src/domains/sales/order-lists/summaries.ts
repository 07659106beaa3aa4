import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { isCancelled, type State, stateOf } from '../orders/orders.ts';
import type { PartnerOrderFilter } from './order-filters.ts';
import { pageOfIds } from './page.ts';
import { spelledLike } from './spellings.ts';

/** What every list of orders has of one. */
export interface OrderLine {
  readonly id: bigint;
  /** The partner's own; empty: none was given. */
  readonly reference: string;
  /** Set: it refilled the eSIM of this earlier order. */
  readonly refillOf: bigint | null;
  readonly productTitle: string;
  readonly countryCode: string;
  readonly salePrice: Cents;
  /** How much of the price of a delivered order was refunded. */
  readonly refunded: Cents;
  readonly status: number;
  /** Of the eSIM it delivered, or of the one it refills. */
  readonly iccid: string | null;
  readonly createdAt: Date;
}

/** An order as the panel lists it, failed ones included. It holds no activation data. */
export interface OrderSummary extends OrderLine {
  readonly productId: string;
  readonly data: string;
  readonly day: number;
  readonly delivery: string;
  readonly deliveryReason: string;
  /** The partner asked for that, before it was delivered or soon enough after. */
  readonly isCancelled: boolean;
  readonly idempotencyKey: string | null;
  /** The batch it was bought with; null: it was bought alone. */
  readonly batchId: bigint | null;
  /** The API key that bought it; null: not recorded. */
  readonly keyId: number | null;
  /** Null: it was never charged. */
  readonly paidAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly failedAt: Date | null;
}

/** One page, newest first. */
export interface SummaryPage {
  readonly orders: readonly OrderSummary[];
  readonly hasMore: boolean;
  /** Set: the search ended here, before it had covered all orders. */
  readonly lookedTo: bigint | undefined;
}

export const summaryColumns = sql`
  id, reference, refill_of as "refillOf", product_id as "productId", product_title as "productTitle",
  country_code as "countryCode", data, day, sale_price as "salePrice", refunded, status, delivery,
  delivery_reason as "deliveryReason", ${isCancelled} as "isCancelled", iccid, idempotency_key as "idempotencyKey", batch_id as "batchId", key_id as "keyId",
  created_at as "createdAt", paid_at as "paidAt", delivered_at as "deliveredAt", failed_at as "failedAt"`;

export async function listSummaries(
  db: Queryable,
  partnerId: number,
  { inAnyCase, ...filter }: PartnerOrderFilter,
  limit: number,
): Promise<SummaryPage> {
  if (!inAnyCase || filter.reference === undefined) return onePage(db, partnerId, filter, limit);
  const written = await spelledLike(db, partnerId, filter.reference);
  const pages = await Promise.all(written.map((reference) => onePage(db, partnerId, { ...filter, reference }, limit)));
  return together(pages, limit);
}

/** The pages of several ways to write one reference as one page. */
function together(pages: readonly SummaryPage[], limit: number): SummaryPage {
  const [only, ...others] = pages;
  if (only && others.length === 0) return only;
  // What one search has not looked at is left out of all.
  const [lookedTo = 0n] = pages.flatMap((page) => page.lookedTo ?? []).sort((a, b) => Number(b - a));
  const found = pages.flatMap(({ orders }) => orders.filter(({ id }) => id >= lookedTo));
  const orders = found.sort((a, b) => Number(b.id - a.id));
  const hasMore = orders.length > limit || pages.some((page) => page.hasMore);
  return { orders: orders.slice(0, limit), hasMore, lookedTo: hasMore || lookedTo === 0n ? undefined : lookedTo };
}

async function onePage(
  db: Queryable,
  partnerId: number,
  filter: PartnerOrderFilter,
  limit: number,
): Promise<SummaryPage> {
  // One more than the page tells whether there are more.
  const page = await pageOfIds(db, partnerId, filter, { limit: limit + 1, offset: 0 });
  if (!page) return { orders: [], hasMore: false, lookedTo: undefined };
  const rows = await db.query<OrderSummary>(sql`
    with page as materialized (${page.ids})
    select found.* from page cross join lateral (
      select ${summaryColumns} from orders where orders.id = page.id limit 1
    ) as found order by found.id desc`);
  const hasMore = rows.length > limit;
  return { orders: rows.slice(0, limit), hasMore, lookedTo: hasMore ? undefined : page.lookedTo };
}

export const readSummary = (db: Queryable, partnerId: number, orderId: bigint): Promise<OrderSummary | undefined> =>
  db.maybe(sql`select ${summaryColumns} from orders where id = ${orderId} and partner_id = ${partnerId}`);

/** The order placed under an idempotency key; of a batch, the first. */
export const orderUnderKey = (db: Queryable, partnerId: number, key: string): Promise<OrderSummary | undefined> =>
  db.maybe(sql`select ${summaryColumns} from orders where partner_id = ${partnerId} and idempotency_key = ${key}`);

const MOST_COUNTED = 100;

/** Open orders have an index of their own. `more`: there may be more than were counted. */
export async function countWaiting(db: Queryable, partnerId: number, paidBefore: Date) {
  const found = await db.one<{ readonly orders: number; readonly since: Date | null }>(sql`
    select count(*)::int as orders, min(paid_at) as since from (
      select paid_at from orders
      where partner_id = ${partnerId} and provision_due_at is not null and paid_at < ${paidBefore} limit ${MOST_COUNTED}
    ) as waiting`);
  return { ...found, more: found.orders === MOST_COUNTED };
}

/**
 * What a page calls an order. A cancelled one has failed, or was delivered and handed back, but neither is what a partner who asked for
 * it wants to read. A fully refunded order is shown as refunded, although it was delivered and keeps that status.
 */
export type ShownState = State | 'cancelled' | 'refunded';

export function shownStateOf(order: {
  readonly status: number;
  readonly delivery: string;
  readonly salePrice: bigint;
  readonly refunded: bigint;
  readonly isCancelled: boolean;
}): ShownState {
  if (order.isCancelled) return 'cancelled';
  const state = stateOf(order);
  return state === 'delivered' && order.salePrice > 0n && order.refunded >= order.salePrice ? 'refunded' : state;
}

/** All orders of a batch together, whatever page or filter shows some of them. */
export interface BatchSum {
  readonly batchId: bigint;
  readonly orders: number;
  /** How many different ones. */
  readonly plans: number;
  readonly price: Cents;
  /** How many are in which state. */
  readonly states: Readonly<Partial<Record<ShownState, number>>>;
}

/** Of the batches that some orders belong to; `partnerId` undefined: those of all partners. */
export async function sumBatches(
  db: Queryable,
  partnerId: number | undefined,
  orders: readonly { readonly batchId: bigint | null }[],
): Promise<BatchSum[]> {
  const ids = [...new Set(orders.flatMap(({ batchId }) => batchId ?? []))];
  if (ids.length === 0) return [];
  type Row = Pick<OrderSummary, 'status' | 'delivery' | 'isCancelled' | 'productId'> & {
    batchId: bigint;
    isBack: boolean;
    orders: number;
    price: Cents;
  };
  const rows = await db.query<Row>(sql`
    select batch_id as "batchId", product_id as "productId", status, delivery, ${isCancelled} as "isCancelled", sale_price > 0 and refunded >= sale_price as "isBack",
      count(*)::int as orders, sum(sale_price)::bigint as price
    from orders where batch_id = any(${ids}::bigint[]) ${partnerId === undefined ? nothing : sql`and partner_id = ${partnerId}`} group by 1, 2, 3, 4, 5, 6 order by 1`);
  return [...Map.groupBy(rows, ({ batchId }) => batchId)].map(([batchId, parts]) => {
    const states: Partial<Record<ShownState, number>> = {};
    for (const { isBack, orders, ...part } of parts) {
      const state = shownStateOf({ ...part, salePrice: 1n, refunded: isBack ? 1n : 0n });
      states[state] = (states[state] ?? 0) + orders;
    }
    return {
      batchId,
      plans: new Set(parts.map(({ productId }) => productId)).size,
      orders: parts.reduce((all, { orders }) => all + orders, 0),
      price: toCents(parts.reduce((all, { price }) => all + price, 0n)),
      states,
    };
  });
}
