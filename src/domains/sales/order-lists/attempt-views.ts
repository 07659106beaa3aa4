import type { Micros } from '../../../platform/amounts/cents.ts';
import { type Attempt, isSamePlan, stateOf } from '../orders/orders.ts';
import type { OrderRecord } from './lookup.ts';

/** A supplier that was tried for an order, with the outcome. */
export interface AttemptView {
  readonly supplier: string;
  readonly plan: string;
  /** Of its reference; null: it was not called. */
  readonly number: number | null;
  readonly cost: Micros;
  readonly outcome: string;
  readonly reason: string;
  readonly at: Date;
}

/**
 * In the order in which they were tried. An order that went only to its own supplier has one; an order that was never paid has
 * none.
 */
export function attemptViews(order: OrderRecord): AttemptView[] {
  const { supplier, supplierPlan, cost, paidAt, sentAt } = order;
  if (paidAt === null) return [];
  const end = endOf(order);
  if (order.attempted.length === 0)
    return [{ supplier, plan: supplierPlan, number: 1, cost, ...end, at: sentAt ?? paidAt }];
  return order.attempted.map((attempt) => ({
    supplier: attempt.supplier,
    plan: attempt.supplierPlan,
    number: attempt.number,
    cost: attempt.cost,
    ...(isSamePlan(attempt, order) ? lastOf(order, attempt) : { outcome: attempt.outcome, reason: attempt.reason }),
    at: attempt.at,
  }));
}

/** Of the supplier that has the order, or had it last. */
function lastOf(order: OrderRecord, { outcome, reason }: Attempt) {
  const isNoted = outcome !== 'asked' && stateOf(order) !== 'delivered';
  return isNoted ? { outcome, reason } : endOf(order);
}

/** What an order says of its supplier's answer. */
function endOf(order: OrderRecord): { outcome: string; reason: string } {
  const { deliveryReason: reason } = order;
  switch (stateOf(order)) {
    case 'delivered':
      return { outcome: 'delivered', reason: '' };
    case 'failed':
      return { outcome: 'refused', reason };
    case 'deferred':
      return { outcome: reason === 'awaiting_profile' ? 'pending' : 'unavailable', reason };
    default:
      return { outcome: 'asked', reason };
  }
}
