import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { type RetailPrices, readRetail } from '../../../domains/catalog/retail/retail.ts';
import type { LedgerLook } from '../../../domains/money/books/books.ts';
import {
  type OrderSummary,
  type PartnerOrderFilter,
  partnerOrderStates,
  type SummaryPage,
  shownStateOf,
} from '../../../domains/sales/order-lists/order-lists.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, type Call, iso, requireMode } from '../../site/json/action.ts';
import { filtersFrom, orderFilterFrom } from '../../site/json/filters.ts';
import { type MemberAction, memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';
import { moneyOf, type OrderLine, orderLine, retailOf } from './order-view.ts';

const PER_PAGE = 20;
const MOST_PER_PAGE = 100;

/** Orders as the panel lists them, and the movements of an order's money. Only `order/detail` has activation data. */
export const orderActions = ({ db, worlds }: Base, catalog: Catalog): MemberAction[] => [
  memberRead('/api/{mode}/orders', {
    may: 'see',
    viewed: {
      has_more: true,
      looked_to: true,
      orders: {
        ...fields('id', 'state', 'reason', 'product_id', 'title', 'country_name', 'country_image', 'type'),
        ...fields('reference', 'iccid', 'key_id', 'price', 'charged', 'returned', 'paid', 'created_at'),
        retail: fields('currency', 'revenue', 'margin'),
      },
    },
    async read(call) {
      const { orders } = worlds[requireMode(call)];
      const { partnerId } = call.member;
      const [page, retail] = await Promise.all([
        orders.summaries(
          partnerId,
          panelOrderFilter(call),
          filtersFrom(call).number('limit', { from: 1, to: MOST_PER_PAGE }) ?? PER_PAGE,
        ),
        readRetail(db, partnerId),
      ]);
      return pageView(page, catalog, retail);
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
export const panelOrderFilter = (call: Pick<Call, 'query'>): PartnerOrderFilter => ({
  ...orderFilterFrom(call, partnerOrderStates),
  keyId: filtersFrom(call).smallId('key'),
});

const pageView = ({ orders, hasMore, lookedTo }: SummaryPage, catalog: Catalog, retail: RetailPrices) => ({
  orders: orders.map((order) => orderLine(order, catalog, retail)),
  has_more: hasMore,
  /** Set: the search stopped after this order, before it had covered all of them. */
  looked_to: lookedTo?.toString() ?? null,
});

export type OrderPage = ReturnType<typeof pageView>;

function accountView(order: OrderSummary, lines: Awaited<ReturnType<LedgerLook['linesOfOrder']>>) {
  const { charged, returned, paid } = moneyOf(order);
  return {
    state: shownStateOf(order),
    /** Why it failed or is waiting, as in the API; '' otherwise. */
    reason: order.deliveryReason,
    idempotency_key: order.idempotencyKey,
    batch_id: order.batchId?.toString() ?? null,
    key_id: order.keyId,
    charged: formatCents(charged),
    returned: formatCents(returned),
    paid: formatCents(paid),
    paid_at: iso(order.paidAt),
    delivered_at: iso(order.deliveredAt),
    failed_at: iso(order.failedAt),
    /** Oldest first. `book`: the wallet, or what is owed on credit. */
    lines: lines.map(({ book, type, amount, note, at }) => ({
      book,
      type,
      amount: formatCents(amount),
      note,
      at: iso(at),
    })),
  };
}

export type OrderAccount = ReturnType<typeof accountView> & Pick<OrderLine, 'retail'>;
