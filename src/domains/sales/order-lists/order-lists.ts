import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { MINUTE } from '../../../platform/clock.ts';
import { BIG_ID_DIGITS } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { ago, COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Page, Walks } from '../../../platform/db/query/walk.ts';
import { bound, type Readers } from '../../../platform/db/replicas.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import {
  type Cancel,
  type CancelMarks,
  esimCodes,
  isCancelled,
  isHeld,
  orderCancels,
  supplierIn,
  supplierReferenceOf,
} from '../orders/orders.ts';
import { listOrders, pageOfAll } from './all-orders.ts';
import { type BoughtFilter, boughtPage, boughtTotal } from './bought.ts';
import { findOrders, readOrder, readOrders, refillsOf, waitingOrders } from './lookup.ts';
import type { PartnerOrderFilter } from './order-filters.ts';
import { pageOfIds } from './page.ts';
import { pastSales } from './past-sales.ts';
import { findBy, findInAll } from './search.ts';
import { countWaiting, listSummaries, type OrderLine, orderUnderKey, readSummary, sumBatches } from './summaries.ts';

const STUCK_MS = 30 * MINUTE;
/** After so many attempts without an answer from the supplier, an order has waited for two and a half minutes. */
const FAILED_ATTEMPTS = 5;
const HALF_WRITTEN_MS = 1 * MINUTE;
const SILENT_MS = 10 * MINUTE;
const SILENT_ORDERS = 5;

const waiting = (now: number): Sql => sql`
  ${counted('held_orders', sql`select held_at as since from orders where ${isHeld}`)}
  union all ${counted(
    'overdue_orders',
    sql`select overdue_at as since from orders where overdue_at is not null and provision_due_at is not null`,
  )}
  union all ${counted(
    'stuck_orders',
    sql`select paid_at as since from (
        select paid_at, overdue_at, held_at from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
      ) as waiting where overdue_at is null and held_at is null and paid_at < ${ago(now, STUCK_MS)}`,
  )}
  union all ${counted(
    'failing_orders',
    sql`select paid_at as since from (
        select paid_at, overdue_at, provision_attempts, delivery_reason
        from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
      ) as waiting where overdue_at is null and paid_at >= ${ago(now, STUCK_MS)}
        and provision_attempts >= ${FAILED_ATTEMPTS} and delivery_reason = 'provider_unavailable'`,
  )}
  union all ${counted(
    'half_written_orders',
    sql`select created_at as since from orders where status = 3 and created_at < ${ago(now, HALF_WRITTEN_MS)}`,
  )}`;

/** Those that were paid and failed, without being cancelled. */
const failedSince = (since: Date): Sql =>
  counted(
    'failed_orders',
    sql`select failed_at as since from orders where failed_at > ${since} and paid_at is not null and delivery = 'failed'
      and not ${isCancelled}`,
  );

/** Suppliers that several orders have waited for. */
const silentSuppliers = (now: number): Sql => sql`
  select 'silent_supplier' as kind, count(*)::float8 as count, min(paid_at) as since, supplier as of, '' as about
  from (
    select ${supplierIn(sql`supplier`)} as supplier, paid_at from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
  ) as waiting
  where paid_at < ${ago(now, SILENT_MS)} group by supplier having count(*) >= ${SILENT_ORDERS}`;

export const orderAlerts = { waiting, silentSuppliers, failedSince };

export { type BoughtFilter, purchaseStates } from './bought.ts';
export {
  type AttemptView,
  attemptViews,
  type ListedOrder,
  type OrderRecord,
  orderState,
  type WaitingOrder,
} from './lookup.ts';
export {
  type AllOrdersFilter,
  type OrderFilter,
  operatorOrderStates,
  type PartnerOrderFilter,
  partnerOrderStates,
  type RefundFilter,
} from './order-filters.ts';
export type { FoundOrder } from './search.ts';
export { type BatchSum, type OrderSummary, type ShownState, type SummaryPage, shownStateOf } from './summaries.ts';

/** An order as its partner reads it. */
export interface Order extends OrderLine {
  readonly productId: string;
  readonly productPrice: Cents;
  readonly supplierOrder: string | null;
  /** Our name for it at the supplier. */
  readonly supplierReference: string;
  readonly data: string;
  readonly day: number;
  readonly isUnlimited: boolean;
  /** Null: none was requested. */
  readonly cancel: Cancel | null;
  /** When its eSIM was handed back to its supplier. */
  readonly withdrawnAt: Date | null;
  /** Activation data, once delivered. */
  readonly esim: (ReturnType<typeof esimCodes.opened> & { readonly qrcodeUrl: string }) | null;
}

/** Orders that were bought together, in the order in which they were asked for. Failed ones are among them. */
export interface OrderBatch {
  readonly orders: readonly Order[];
  /** What was charged for all of them when they were bought. */
  readonly charged: Cents;
}

export type Orders = ReturnType<typeof createOrders>;

interface OrderWorld extends Readers {
  readonly schema: Mode;
  readonly walks: Walks;
}

const columns = sql`
  id, reference, refill_of as "refillOf", refunded, product_id as "productId", product_title as "productTitle", product_price as "productPrice",
  sale_price as "salePrice", status, supplier_order as "supplierOrder", data, day, is_unlimited as "isUnlimited",
  country_code as "countryCode", created_at as "createdAt", withdrawn_at as "withdrawnAt", iccid, esim,
  ${esimCodes.keyOfOrder} as "esimKey", ${orderCancels.columns}`;

interface Sealed {
  readonly esim: Buffer | null;
  readonly esimKey: Buffer | null;
}

type Row = Omit<Order, 'esim' | 'supplierReference' | 'cancel'> & CancelMarks & Sealed;

const allOrders = ({ db, reads }: Readers) => ({
  ...bound(db, { read: readOrder, readMany: readOrders }),
  ...bound(reads, {
    page: pageOfAll,
    list: listOrders,
    /** Those with exactly this id, ICCID, number at their supplier, or reference. */
    named: findOrders,
    /** Those a text may mean. */
    search: findInAll,
    waiting: waitingOrders,
    batchSums: (on: Queryable, orders: Parameters<typeof sumBatches>[2]) => sumBatches(on, undefined, orders),
    refillsOf,
    sales: pastSales,
  }),
});

export function createOrders(world: OrderWorld, { vault, panelUrl }: { vault: Vault; panelUrl: URL }) {
  const { db, reads, schema, walks } = world;

  function opened({ esim: sealed, esimKey: key, ...row }: Row): Order {
    const supplierReference = supplierReferenceOf(world, row.id);
    const order = { ...row, supplierReference, cancel: orderCancels.of(row) };
    if (!sealed) return { ...order, esim: null };
    const esim = esimCodes.opened(vault, { sealed, key }, row.iccid);
    return { ...order, esim: { ...esim, qrcodeUrl: esim.erased ? '' : qrAddress(vault, panelUrl, schema, row.id) } };
  }

  return {
    /**
     * One page, newest first. The page number is ignored next to `beforeId`, which names the position itself. `reached`: the page asked for
     * lies too far back, and this one is shown instead.
     */
    async list(partnerId: number, filter: PartnerOrderFilter, { limit, start }: Page) {
      const wantedPage = { limit, start: filter.beforeId === undefined ? start : 1 };
      const place = await walks.to<bigint>(partnerId, wantedPage, async (after, rows) => {
        const step = await pageOfIds(reads, partnerId, { ...filter, beforeId: after }, { limit: 1, offset: rows - 1 });
        return step && (await reads.maybe<{ id: bigint }>(step.ids))?.id;
      });
      const { offset, reached } = place;
      const from = { ...filter, beforeId: place.after ?? filter.beforeId };
      // One more than the page tells whether there are more.
      const page = place.limit > 0 && (await pageOfIds(reads, partnerId, from, { limit: limit + 1, offset }));
      if (!page) return { orders: [], hasMore: false, reached };
      const rows = await reads.query<Row>(sql`
        with page as materialized (${page.ids})
        select found.* from page cross join lateral (
          select ${columns} from orders where orders.id = page.id limit 1
        ) as found order by found.id desc`);
      return { orders: rows.slice(0, limit).map(opened), hasMore: rows.length > limit, reached };
    },

    async find(partnerId: number, orderId: bigint): Promise<Order | undefined> {
      const row = await db.maybe<Row>(sql`
        select ${columns} from orders where id = ${orderId} and partner_id = ${partnerId}`);
      return row && opened(row);
    },

    async batch(partnerId: number, batchId: bigint): Promise<OrderBatch | undefined> {
      const rows = await db.query<Row & { paid: Cents }>(sql`
        select ${columns}, case when paid_at is null then 0 else sale_price end as paid
        from orders where batch_id = ${batchId} and partner_id = ${partnerId} order by id`);
      const charged = toCents(rows.reduce((sum, { paid }) => sum + paid, 0n));
      return rows.length === 0 ? undefined : { orders: rows.map(({ paid: _, ...row }) => opened(row)), charged };
    },

    /** One page of purchases, newest first, with the orders of each; a batch for one plan is a single purchase. */
    async bought(partnerId: number, filter: BoughtFilter, page: { readonly limit: number; readonly offset: number }) {
      // A single one may have been bought a moment ago.
      const on = filter.id === undefined ? reads : db;
      const rows = await on.query<Row & { head: bigint }>(boughtPage(partnerId, filter, page, columns));
      const byHead = [...Map.groupBy(rows, ({ head }) => head).values()];
      const purchases = byHead.map((some) => some.map(({ head: _, ...row }) => opened(row)));
      // The last page tells how many there are; counting them takes as long as there are many.
      const isShort = purchases.length < page.limit && (purchases.length > 0 || page.offset === 0);
      const isLast = filter.id !== undefined || isShort;
      const { total } = isLast
        ? { total: page.offset + purchases.length }
        : await on.one<{ total: number }>(boughtTotal(partnerId, filter));
      return { purchases: purchases as [Order, ...Order[]][], total };
    },

    ...bound(db, { summary: readSummary, underKey: orderUnderKey }),
    ...bound(reads, { summaries: listSummaries, batchSums: sumBatches, waiting: countWaiting, search: findBy }),
    /** Over all partners, for operators. None of these reads activation data, and reading changes nothing. */
    all: allOrders(world),

    /**
     * What the QR code of an order encodes; undefined once the eSIM was withdrawn or its code destroyed. The caller has proved its right to it by a signed
     * address.
     */
    async activationCode(orderId: bigint): Promise<string | undefined> {
      const row = await db.maybe<Sealed>(sql`
        select esim, ${esimCodes.keyOfOrder} as "esimKey" from orders where id = ${orderId} and withdrawn_at is null`);
      if (!row?.esim) return undefined;
      return esimCodes.opened(vault, { sealed: row.esim, key: row.esimKey }, null).activationCode || undefined;
    },
  };
}

const QR_PURPOSE = 'qr';
const QR_TOKEN = new RegExp(`^([a-z]+)-(${BIG_ID_DIGITS})-([0-9a-f]{64})$`);

/** Where the QR image of an order is served. Anyone with the address has the eSIM, so it is signed and cannot be guessed. */
function qrAddress(vault: Vault, panelUrl: URL, schema: Mode, orderId: bigint): string {
  const token = `${schema}-${orderId}-${vault.sign(QR_PURPOSE, `${schema} ${orderId}`)}`;
  return `${panelUrl.href.replace(/\/$/, '')}/qr/${token}.svg`;
}

/** The order a token names; undefined unless the signature is ours. */
export function readQrToken(
  vault: Vault,
  token: string,
): { readonly schema: Mode; readonly orderId: bigint } | undefined {
  const [, schema = '', id = '', signature = ''] = QR_TOKEN.exec(token) ?? [];
  if (!vault.verify(QR_PURPOSE, `${schema} ${id}`, signature)) return undefined;
  // We only ever sign the names of our two worlds.
  return { schema: schema as Mode, orderId: BigInt(id) };
}
