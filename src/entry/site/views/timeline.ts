import { formatCents } from '../../../platform/amounts/cents.ts';
import type { OrderTrail } from '../../../worlds/order-trail.ts';
import { iso } from '../json/action.ts';
import type { loggedKeyView } from './records.ts';

/** A member bought it in the panel; such keys are made by `entry/panel/orders/purchases.ts`. */
export const isBoughtInPanel = ({ order }: OrderTrail): boolean =>
  order.keyId === null && (order.idempotencyKey ?? '').startsWith('panel-');

interface Placed {
  readonly key: ReturnType<typeof loggedKeyView> | null;
  readonly isLogged: boolean;
  readonly buyer: string | undefined;
}

/** In the account's own time, like everything else about an order. */
export const placedView = (trail: OrderTrail, { key, isLogged, buyer }: Placed) => ({
  kind: 'placed' as const,
  at: iso(trail.order.createdAt),
  /** Null: placed before this was recorded. */
  request_id: trail.order.requestId,
  key,
  /** Not through the API: there is no call to look up. */
  in_panel: isBoughtInPanel(trail),
  /** The member who bought it in the panel; null: it was placed through the API. */
  by: buyer ?? null,
  /** The call can be looked up in the request log, by this member and still. */
  is_logged: isLogged,
});

const moneyView = ({ id, book, type, amount, at }: OrderTrail['money'][number]) => ({
  kind: 'money' as const,
  at: iso(at),
  movement_id: String(id),
  book,
  type,
  amount: formatCents(amount),
});

/** Without the supplier's name, which partners do not see. */
function supplierSteps({ order }: OrderTrail) {
  const at = (kind: 'sent_to_supplier' | 'overdue' | 'delivered', time: Date | null) =>
    time === null ? [] : [{ kind, at: iso(time) }];
  return [
    ...at('sent_to_supplier', order.sentAt),
    ...at('overdue', order.overdueAt),
    ...at('delivered', order.deliveredAt),
    ...(order.failedAt === null
      ? []
      : [{ kind: 'failed' as const, at: iso(order.failedAt), reason: order.deliveryReason }]),
  ];
}

/** An event, and each attempt to deliver it to the subscriptions that receive it. */
function eventSteps({ deliveries, attempts }: OrderTrail) {
  const events = Map.groupBy(deliveries, ({ eventId }) => eventId);
  const tries = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return [...events].map(([eventId, deliveries]) => ({
    kind: 'event' as const,
    at: iso(new Date(Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime())))),
    event_id: eventId,
    event: deliveries[0]?.event ?? '',
    deliveries: deliveries.map((delivery) => deliveryView(delivery, tries.get(delivery.id) ?? [])),
  }));
}

const deliveryView = (
  { id, subscriptionId, status, held }: OrderTrail['deliveries'][number],
  tries: OrderTrail['attempts'],
) => ({
  delivery_id: String(id),
  subscription_id: String(subscriptionId),
  status,
  /** It waits because its subscription is paused or disabled. */
  held,
  tries: tries.map(({ attempt, startedAt, durationMs, httpStatus, error }) => ({
    attempt,
    at: iso(startedAt),
    duration_ms: durationMs,
    http_code: httpStatus,
    error,
  })),
});

function refundSteps({ refund }: OrderTrail) {
  if (!refund) return [];
  const request = { kind: 'refund_requested' as const, at: iso(refund.requestedAt), reason: refund.reason };
  if (refund.decidedAt === null) return [request];
  const decision = {
    kind: refund.status === 'rejected' ? ('refund_rejected' as const) : ('refund_granted' as const),
    at: iso(refund.decidedAt),
    amount: formatCents(refund.amount),
    note: refund.note,
  };
  return [request, decision];
}

function cancelSteps({ order: { cancel } }: OrderTrail) {
  if (!cancel) return [];
  const request = { kind: 'cancel_requested' as const, at: iso(cancel.requestedAt) };
  if (cancel.decidedAt === null) return [request];
  const kind = cancel.status === 'cancelled' ? ('cancelled' as const) : ('cancel_too_late' as const);
  return [request, { kind, at: iso(cancel.decidedAt) }];
}

const refillView = ({ id, productTitle, status, createdAt }: OrderTrail['refills'][number]) => ({
  kind: 'refill' as const,
  at: iso(createdAt),
  order_id: String(id),
  product_title: productTitle,
  status: String(status),
});

export function timelineView(trail: OrderTrail, placed: ReturnType<typeof placedView>) {
  const { order } = trail;
  // Of steps at the same moment, what caused the others comes first.
  const steps = [
    placed,
    ...trail.money.map(moneyView),
    ...refundSteps(trail),
    ...cancelSteps(trail),
    ...supplierSteps(trail),
    ...eventSteps(trail),
    ...trail.refills.map(refillView),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return {
    refill_of: order.refillOf === null ? null : String(order.refillOf),
    steps,
    /** It is paid and waits for its eSIM. */
    waiting:
      order.nextAttemptAt === null
        ? null
        : { attempts: order.attempts, next_attempt_at: iso(order.nextAttemptAt), reason: order.deliveryReason },
  };
}

export type TimelineView = ReturnType<typeof timelineView>;
export type TimelineStep = TimelineView['steps'][number];
export type StepOf<K extends TimelineStep['kind']> = Extract<TimelineStep, { kind: K }>;
