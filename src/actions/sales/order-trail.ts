import type { LoggedDelivery } from '../../domains/messages/webhooks/webhooks.ts';
import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { attemptViews, type OrderRecord } from '../../domains/sales/order-lists/order-lists.ts';
import { type Cancel, supplierReferenceOf } from '../../domains/sales/orders/orders.ts';
import { formatCents, formatMicros } from '../../platform/amounts/cents.ts';
import { listOrderChanges } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { readOrderTrail } from '../../worlds/order-trail.ts';
import type { OperatorContext } from '../action.ts';
import { orderStatus } from '../system/status-words.ts';
import { targetOf } from './order-actions.ts';
import { shownRefund } from './refund.ts';

/** Operators rarely change one order more than once or twice. */
const CHANGES = 50;

export type Trail = Awaited<ReturnType<typeof readTrail>>;

/** Everything that happened to a live order: at the supplier, in the books, towards the partner, and by operators. */
export async function readTrail({ worlds: { live }, db }: OperatorContext, id: bigint) {
  const trail = await readOrderTrail(live, id);
  if (!trail) throw new Refused('order_not_found');
  const { order, refund, money, deliveries, refills } = trail;
  const attempts = attemptViews(order);
  const last = attempts.findLast(({ supplier, plan }) => supplier === order.supplier && plan === order.supplierPlan);
  const [partner, changes] = await Promise.all([
    findPartner(db, order.partnerId),
    listOrderChanges(db, { orderId: id, mode: 'live', target: targetOf(id, 'live'), limit: CHANGES }),
  ]);
  return {
    ...shownOrder(order, partner.name),
    supplier: {
      name: order.supplier,
      plan: order.supplierPlan,
      reference: supplierReferenceOf(live, id, last?.number ?? 1),
      order: order.supplierOrder,
      ordered_at: order.orderedAt,
      attempts: order.attempts,
      next_attempt_at: order.nextAttemptAt,
      overdue_at: order.overdueAt,
    },
    /** What is wrong with what its supplier sent; null: it is not held. */
    held: order.heldAt && { reason: order.heldReason, since: order.heldAt },
    attempts: attempts.map(({ number, cost, plan, ...attempt }) => ({
      supplier: attempt.supplier,
      plan,
      reference: number === null ? null : supplierReferenceOf(live, id, number),
      cost: formatMicros(cost),
      outcome: attempt.outcome,
      reason: attempt.reason,
      at: attempt.at,
    })),
    refund: refund ? shownRefund(refund) : null,
    cancel: order.cancel && shownCancel(order.cancel),
    money: money.map((line) => ({
      movement_id: line.id,
      book: line.book,
      type: line.type,
      amount: formatCents(line.amount),
      balance_after: formatCents(line.balanceAfter),
      note: line.note,
      at: line.at,
    })),
    refills: refills.map((refill) => ({ order_id: refill.id, status: refill.status, created_at: refill.createdAt })),
    deliveries: deliveries.map(shownDelivery),
    changes: changes.toReversed(),
  };
}

export const shownCancel = ({ status, requestedAt, decidedAt }: Cancel) => ({
  status,
  requested_at: requestedAt,
  decided_at: decidedAt,
});

const shownOrder = (order: OrderRecord, partnerName: string) => ({
  order_id: order.id,
  partner_id: order.partnerId,
  partner_name: partnerName,
  status: order.status,
  delivery: order.delivery,
  delivery_reason: order.deliveryReason,
  request_id: order.requestId,
  idempotency_key: order.idempotencyKey,
  batch_id: order.batchId,
  reference: order.reference,
  product_type: order.refillOf === null ? 'esim' : 'refill',
  refill_of: order.refillOf,
  product_id: order.productId,
  product_title: order.productTitle,
  data: order.data,
  day: order.day,
  country_code: order.countryCode,
  billing_mode: order.billingMode,
  product_price: formatCents(order.productPrice),
  sale_price: formatCents(order.salePrice),
  cost: formatMicros(order.cost),
  charged: order.charged === null ? null : formatMicros(order.charged),
  iccid: order.iccid,
  created_at: order.createdAt,
  paid_at: order.paidAt,
  delivered_at: order.deliveredAt,
  failed_at: order.failedAt,
});

/** Without the receiver's answer: it may repeat the activation data it was sent. */
const shownDelivery = (delivery: LoggedDelivery) => ({
  delivery_id: delivery.id,
  subscription_id: delivery.subscriptionId,
  event_type: delivery.event,
  event_id: delivery.eventId,
  status: delivery.status,
  held: delivery.held,
  attempts: delivery.attempts,
  http_code: delivery.httpStatus,
  error: delivery.error,
  created_at: delivery.createdAt,
  sent_at: delivery.sentAt,
});

export const trailText = ({ delivery, deliveries, changes, refills, ...trail }: Trail) => ({
  ...trail,
  status: orderStatus({ status: trail.status, delivery }),
  refills: refills.map(({ order_id }) => order_id),
  deliveries: deliveries.map(({ held, event_id, ...one }) => ({ ...one, status: held ? 'held' : one.status })),
  changes: changes.map(({ at, who, what }) => ({ at, who, what })),
});
