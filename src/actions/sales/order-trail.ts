import type { LoggedDelivery } from '../../domains/messages/webhooks/webhooks.ts';
import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { attemptViews, type OrderRecord } from '../../domains/sales/order-lists/order-lists.ts';
import { type Cancel, supplierReferenceOf } from '../../domains/sales/orders/orders.ts';
import { formatMicros } from '../../platform/amounts/cents.ts';
import { listOrderChanges } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { readOrderTrail } from '../../worlds/world.ts';
import { inUsd, type OperatorContext } from '../action.ts';
import { orderStatus } from '../system/status-words.ts';
import { shownRefund } from './refund.ts';

export const targetOf = (id: bigint, mode: Mode): string => (mode === 'live' ? `order ${id}` : `${mode} order ${id}`);

export async function requireOrder({ worlds }: OperatorContext, id: bigint, mode: Mode): Promise<OrderRecord> {
  const order = await worlds[mode].orders.all.read(id);
  if (!order) throw new Refused('order_not_found');
  return order;
}

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
      ...snaked(order, 'orderedAt', 'attempts', 'nextAttemptAt', 'overdueAt'),
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
      ...snaked(line, 'book', 'type'),
      ...inUsd(line, 'amount', 'balanceAfter'),
      ...snaked(line, 'note', 'at'),
    })),
    refills: refills.map((refill) => ({ order_id: refill.id, status: refill.status, created_at: refill.createdAt })),
    deliveries: deliveries.map(shownDelivery),
    changes: changes.toReversed(),
  };
}

export const shownCancel = (cancel: Cancel) => snaked(cancel, 'status', 'requestedAt', 'decidedAt');

const shownOrder = (order: OrderRecord, partnerName: string) => ({
  order_id: order.id,
  partner_id: order.partnerId,
  partner_name: partnerName,
  ...snaked(order, 'status', 'delivery', 'deliveryReason', 'requestId', 'idempotencyKey', 'batchId', 'reference'),
  product_type: order.refillOf === null ? 'esim' : 'refill',
  ...snaked(order, 'refillOf', 'productId', 'productTitle', 'data', 'day', 'countryCode', 'billingMode'),
  ...inUsd(order, 'productPrice', 'salePrice'),
  cost: formatMicros(order.cost),
  charged: order.charged === null ? null : formatMicros(order.charged),
  ...snaked(order, 'iccid', 'createdAt', 'paidAt', 'deliveredAt', 'failedAt'),
});

/** Without the receiver's answer: it may repeat the activation data it was sent. */
const shownDelivery = (delivery: LoggedDelivery) => ({
  delivery_id: delivery.id,
  subscription_id: delivery.subscriptionId,
  event_type: delivery.event,
  event_id: delivery.eventId,
  ...snaked(delivery, 'status', 'held', 'attempts'),
  http_code: delivery.httpStatus,
  ...snaked(delivery, 'error', 'createdAt', 'sentAt'),
});

export const trailText = ({ delivery, deliveries, changes, refills, ...trail }: Trail) => ({
  ...trail,
  status: orderStatus({ status: trail.status, delivery }),
  refills: refills.map(({ order_id }) => order_id),
  deliveries: deliveries.map(({ held, event_id, ...one }) => ({ ...one, status: held ? 'held' : one.status })),
  changes: changes.map(({ at, who, what }) => ({ at, who, what })),
});
