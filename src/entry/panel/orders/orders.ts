import { inUsd } from '../../../actions/action.ts';
import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { formatRetail, type RetailPrices, readRetail, retailSums } from '../../../domains/catalog/retail/retail.ts';
import type { LedgerReads } from '../../../domains/money/books/books.ts';
import { memberRoles } from '../../../domains/partners/people/people.ts';
import {
  type OrderSummary,
  type PartnerOrderFilter,
  partnerOrderStates,
  type ShownState,
  type SummaryPage,
  shownStateOf,
} from '../../../domains/sales/order-lists/order-lists.ts';
import { stateOf } from '../../../domains/sales/orders/orders.ts';
import { formatCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { findBuyer } from '../../../platform/audit/audit-log.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { readOrderTrail, type World } from '../../../worlds/world.ts';
import { titleDisplay } from '../../api/views.ts';
import { bigIdOf, type Call, iso, jsonOf, requireMode } from '../../site/json/action.ts';
import { type Cell, csvDownload } from '../../site/json/csv.ts';
import { filtersFrom, orderFilterFrom, rangeName, requireTimeColumns } from '../../site/json/filters.ts';
import { batchView, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { isBoughtInPanel, placedView, timelineView } from '../../site/views/timeline.ts';
import { fields, memberFile, memberRead } from '../member-action.ts';

const PER_PAGE = 20;

export const ORDER_VIEWED = {
  ...fields('id', 'state', 'reason', 'product_id', 'title', 'country_name', 'country_image', 'type'),
  ...fields('reference', 'iccid', 'key_id', 'batch_id', 'price', 'charged', 'returned', 'paid', 'created_at'),
  retail: fields('currency', 'revenue', 'margin'),
};

export const BATCH_VIEWED = { ...fields('id', 'orders', 'plans', 'price'), states: 'values' } as const;

/** Orders as the panel lists them, and the movements of an order's money. Only `order/detail` has activation data. */
export const orderActions = ({ db, worlds }: Base, catalog: Catalog) => [
  memberRead('/api/{mode}/orders', {
    may: 'see',
    viewed: {
      has_more: true,
      looked_to: true,
      orders: ORDER_VIEWED,
      batches: BATCH_VIEWED,
    },
    async read(call) {
      const { orders } = worlds[requireMode(call)];
      const { partnerId } = call.member;
      const [page, retail] = await Promise.all([
        orders.summaries(partnerId, panelOrderFilter(call), filtersFrom(call).limit(PER_PAGE)),
        readRetail(db, partnerId),
      ]);
      const batches = await orders.batchSums(partnerId, page.orders);
      return { ...pageView(page, catalog, retail), batches: batches.map(batchView) };
    },
  }),
  memberRead('/api/{mode}/orders/{id}/money', {
    may: 'see',
    viewed: {
      ...fields('state', 'reason', 'idempotency_key', 'batch_id', 'key_id', 'charged', 'returned', 'paid'),
      ...fields('paid_at', 'delivered_at', 'failed_at'),
      retail: fields('currency', 'revenue', 'margin'),
      lines: fields('book', 'type', 'amount', 'note', 'at'),
    },
    async read(call) {
      const { orders, ledger } = worlds[requireMode(call)];
      const order = await orders.summary(call.member.partnerId, bigIdOf(call));
      if (!order) throw new Refused('order_not_found');
      const [lines, retail] = await Promise.all([ledger.linesOfOrder(order.id), readRetail(db, call.member.partnerId)]);
      return { ...accountView(order, lines), retail: retailOf(order, retail) };
    },
  }),
];

/** Which of its orders a partner lists. Unlike the contract's list, it has failed orders unless a status is chosen. */
const panelOrderFilter = (call: Pick<Call, 'query'>): PartnerOrderFilter => ({
  ...orderFilterFrom(call, partnerOrderStates),
  keyId: filtersFrom(call).smallId('key'),
});

const pageView = ({ orders, hasMore, lookedTo }: SummaryPage, catalog: Catalog, retail: RetailPrices) => ({
  orders: orders.map((order) => orderLine(order, catalog, retail)),
  has_more: hasMore,
  /** Set: the search stopped after this order, before it had covered all of them. */
  looked_to: lookedTo?.toString() ?? null,
});

function accountView(order: OrderSummary, lines: Awaited<ReturnType<LedgerReads['linesOfOrder']>>) {
  return {
    state: shownStateOf(order),
    /** Why it failed or is waiting, as in the API; '' otherwise. */
    reason: order.deliveryReason,
    ...jsonOf(order, 'idempotencyKey', 'batchId', 'keyId'),
    ...inUsd(moneyOf(order), 'charged', 'returned', 'paid'),
    ...jsonOf(order, 'paidAt', 'deliveredAt', 'failedAt'),
    /** Oldest first. `book`: the wallet, or what is owed on credit. */
    lines: lines.map((line) => ({
      ...jsonOf(line, 'book', 'type', 'note', 'at'),
      amount: formatCents(line.amount),
    })),
  };
}

/** A failed order that had been charged got everything back when it failed; otherwise `refunded` says how much was returned. */
function moneyOf({ salePrice, refunded, status, paidAt }: OrderSummary) {
  const charged = paidAt === null ? ZERO : salePrice;
  const returned = status === 2 ? charged : refunded;
  return { charged, returned, paid: toCents(charged - returned) };
}

/**
 * What an order brings at the retail prices of today; null: it was not charged, all of it went back, or its plan has no retail
 * price.
 */
function retailOf(order: OrderSummary, retail: RetailPrices) {
  const { charged, returned, paid } = moneyOf(order);
  const sold = { plan: order.productId, destination: order.countryCode };
  if (paid === ZERO || !retail.of({ ...sold, cost: charged })) return null;
  const { revenue, margin } = retailSums(retail, [{ ...sold, orders: 1, charged, returned }]);
  return { currency: retail.terms.currency, revenue: formatRetail(revenue), margin: formatCents(margin) };
}

export function orderLine(order: OrderSummary, catalog: Catalog, retail: RetailPrices) {
  const destination = catalog.destination(order.countryCode);
  const country = destination?.title ?? order.countryCode;
  return {
    id: order.id.toString(),
    state: shownStateOf(order),
    /** Why it failed or is waiting, as in the API; '' otherwise. */
    reason: order.deliveryReason,
    product_id: order.productId,
    title: titleDisplay(country, order.productTitle),
    country_name: country,
    country_image: destination?.image ?? '',
    type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
    ...jsonOf(order, 'reference', 'iccid', 'keyId', 'batchId'),
    /** What it costs, whether or not it was charged. */
    price: formatCents(order.salePrice),
    ...inUsd(moneyOf(order), 'charged', 'returned', 'paid'),
    retail: retailOf(order, retail),
    created_at: iso(order.createdAt),
  };
}

export type { ShownState };

/** Rows read at once. */
const PAGE = 500;

/** Orders as a file, newest first, filtered like the list. `tz` adds columns with local times, retail prices those about the margin. */
export const orderExportActions = ({ db, worlds }: Base, catalog: Catalog) => [
  memberFile('/api/{mode}/orders.csv', {
    may: 'see',
    viewed: {
      ...fields('order_id', 'created_utc', 'created_local', 'delivered_utc', 'delivered_local', 'failed_utc'),
      ...fields('failed_local', 'status', 'reason', 'type', 'product_id', 'product', 'destination', 'reference'),
      ...fields('iccid', 'key_id', 'price_usd', 'charged_usd', 'refunded_usd', 'paid_usd'),
      ...fields('revenue_at_todays_retail', 'retail_currency', 'margin_usd_at_todays_retail'),
    },
    async file(call) {
      const world = worlds[requireMode(call)];
      const filter = panelOrderFilter(call);
      const times = requireTimeColumns(call.query);
      const { partnerId } = call.member;
      const retail = await readRetail(db, partnerId);
      const isPriced = !retail.isEmpty;
      async function* rows() {
        for await (const order of everyOrder(world, partnerId, filter)) {
          const line = orderLine(order, catalog, retail);
          const state = order.isCancelled ? 'cancelled' : stateOf(order);
          const what: Cell[] = [state, line.reason, line.type, line.product_id, line.title, line.country_name];
          const ids: Cell[] = [line.reference, line.iccid, line.key_id];
          const whens = [order.createdAt, order.deliveredAt, order.failedAt].flatMap((at) => times.cells(at));
          const { revenue = '', currency = '', margin = '' } = line.retail ?? {};
          const sold: Cell[] = isPriced ? [revenue, currency, margin] : [];
          yield [line.id, ...whens, ...what, ...ids, line.price, line.charged, line.returned, line.paid, ...sold];
        }
      }
      const header = [
        'order_id',
        ...['created', 'delivered', 'failed'].flatMap((name) => times.header(name)),
        ...['status', 'reason', 'type', 'product_id', 'product', 'destination', 'reference', 'iccid', 'key_id'],
        ...['price_usd', 'charged_usd', 'refunded_usd', 'paid_usd'],
        ...(isPriced ? ['revenue_at_todays_retail', 'retail_currency', 'margin_usd_at_todays_retail'] : []),
      ];
      return csvDownload(rangeName('orders', filtersFrom(call).range()), header, rows());
    },
  }),
];

/** Page by page, further back wherever a page of the list would have stopped looking. */
async function* everyOrder(world: World, partnerId: number, filter: PartnerOrderFilter): AsyncGenerator<OrderSummary> {
  let before = filter.beforeId;
  do {
    const page = await world.orders.summaries(partnerId, { ...filter, beforeId: before }, PAGE);
    yield* page.orders;
    before = page.hasMore ? page.orders.at(-1)?.id : page.lookedTo;
  } while (before !== undefined);
}

export const timelineActions = ({ db, worlds }: Base) => [
  memberRead('/api/{mode}/orders/{id}/timeline', {
    may: 'see',
    viewed: {
      refill_of: true,
      as_of: true,
      replacement: fields('status', 'order_id', 'iccid'),
      steps: {
        ...fields('kind', 'at', 'request_id', 'is_logged', 'in_panel', 'by', 'movement_id', 'book', 'type'),
        ...fields('amount', 'reason', 'note', 'event_id', 'event', 'order_id', 'product_title', 'status'),
        ...fields('n', 'country', 'covered', 'replaces', 'iccid', 'is_automatic', 'is_rest', 'is_told'),
        key: fields('id', 'name', 'mask'),
        deliveries: {
          ...fields('delivery_id', 'subscription_id', 'status', 'held'),
          tries: fields('attempt', 'at', 'duration_ms', 'http_code', 'error'),
        },
      },
      waiting: fields('attempts', 'next_attempt_at', 'reason'),
    },
    async read(call) {
      const mode = requireMode(call);
      const world = worlds[mode];
      const { partnerId } = call.member;
      const id = bigIdOf(call);
      // Also brings it up to date, in the world where reads do that.
      if (!(await world.orders.find(partnerId, id))) throw new Refused('order_not_found');
      const trail = await readOrderTrail(world, id);
      if (!trail) throw new Refused('order_not_found');
      const { requestId, keyId } = trail.order;
      const seesKeys = memberRoles.may(call.member.role, 'see-keys');
      const [logged, keys, buyer] = await Promise.all([
        seesKeys && requestId !== null ? world.requestLog.find(partnerId, requestId, call.now) : undefined,
        seesKeys && keyId !== null ? keysOf(db, partnerId) : undefined,
        isBoughtInPanel(trail) ? findBuyer(db, { orderId: id, mode }) : undefined,
      ]);
      const key = keys && keyId !== null ? loggedKeyView(keyId, keys) : null;
      const as_of = iso(await world.webhooks.asOf());
      const placed = placedView(trail, { key, isLogged: logged !== undefined, buyer });
      return { ...timelineView(trail, placed), as_of };
    },
  }),
];
