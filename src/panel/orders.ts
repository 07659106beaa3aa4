import { formatCents } from '../amounts/cents.ts';
import type { Base } from '../base.ts';
import type { LedgerLook } from '../books/books.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { Refused } from '../contract/refused.ts';
import { type OrderSummary, type SummaryPage, shownStateOf } from '../order-lists/order-lists.ts';
import { bigIdOf, iso, requireMode } from '../site/action.ts';
import { type MemberAction, memberAction } from './member-action.ts';
import { moneyOf, orderLine } from './order-view.ts';
import { requireSought } from './sought-orders.ts';

const PER_PAGE = 20;
const MOST_PER_PAGE = 100;

/** Orders as the panel lists them, and what became of an order's money. Activation data stays with `order/detail`. */
export const orderActions = ({ worlds }: Base, catalog: Catalog): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/orders',
    may: 'see',
    viewed: `orders(id,state,reason,product_id,title,country_name,country_image,type,reference,iccid,key_id,price,charged,
      returned,paid,created_at),has_more,looked_to`,
    async handle(call) {
      const { orders } = worlds[requireMode(call)];
      const page = await orders.summaries(
        call.member.partnerId,
        requireSought(call),
        requireLimit(call.query('limit')),
      );
      return { body: pageView(page, catalog) };
    },
  }),
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/orders/{id}/money',
    may: 'see',
    viewed: `state,reason,idempotency_key,batch_id,key_id,charged,returned,paid,paid_at,delivered_at,failed_at,lines(book,type,
      amount,note,at)`,
    async handle(call) {
      const { orders, ledger } = worlds[requireMode(call)];
      const order = await orders.summary(call.member.partnerId, bigIdOf(call));
      if (!order) throw new Refused('order_not_found');
      return { body: accountView(order, await ledger.linesOfOrder(order.id)) };
    },
  }),
];

function requireLimit(text: string): number {
  if (text === '') return PER_PAGE;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_PER_PAGE) throw new Refused('invalid_limit', `a page has 1 to ${MOST_PER_PAGE} orders`);
  return limit;
}

const pageView = ({ orders, hasMore, lookedTo }: SummaryPage, catalog: Catalog) => ({
  orders: orders.map((order) => orderLine(order, catalog)),
  has_more: hasMore,
  /** Set: the search stopped after this order, before it was through all of them. */
  looked_to: lookedTo?.toString() ?? null,
});

export type OrderPage = ReturnType<typeof pageView>;

function accountView(order: OrderSummary, lines: Awaited<ReturnType<LedgerLook['linesOfOrder']>>) {
  const { charged, returned, paid } = moneyOf(order);
  return {
    state: shownStateOf(order),
    /** Why it failed or waits, as the API says it; '' otherwise. */
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

export type OrderAccount = ReturnType<typeof accountView>;
