import { formatCents } from '../../../platform/amounts/cents.ts';
import type { OrderTrail } from '../../../worlds/world.ts';
import { iso, jsonOf } from '../json/action.ts';
import type { loggedKeyView } from './records.ts';

/** A member bought it in the panel; such keys are made by `entry/panel/orders/purchases.ts`. */
export const isBoughtInPanel = ({ order }: OrderTrail): boolean =>
  order.keyId === null && (order.idempotencyKey ?? '').startsWith('panel-');

/** The rule of its eSIM bought it: no call did, and the key is the rule's. */
const isAutomatic = ({ order }: OrderTrail): boolean =>
  order.requestId === null && (order.idempotencyKey ?? '').startsWith('autorefill:');

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
  /** Bought because its eSIM refills itself; the key is the one that set that. */
  is_automatic: isAutomatic(trail),
  /** The order whose eSIM it replaces, for nothing; null: it was bought. */
  replaces: trail.replaces === null ? null : String(trail.replaces),
  /** The call can be looked up in the request log, by this member and still. */
  is_logged: isLogged,
});

const moneyView = (line: OrderTrail['money'][number]) => ({
  kind: 'money' as const,
  movement_id: String(line.id),
  ...jsonOf(line, 'at', 'book', 'type'),
  amount: formatCents(line.amount),
});

/** Without the supplier's name, which partners do not see. */
function supplierSteps({ order }: OrderTrail) {
  const at = (kind: 'sent_to_supplier' | 'overdue' | 'delivered', time: Date | null) =>
    time === null ? [] : [{ kind, at: iso(time) }];
  return [
    ...at('sent_to_supplier', order.sentAt),
    ...at('overdue', order.overdueAt),
    ...at('delivered', order.deliveredAt),
    // Of a cancelled order that is said once.
    ...(order.failedAt === null || order.isCancelled
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

const deliveryView = (delivery: OrderTrail['deliveries'][number], tries: OrderTrail['attempts']) => ({
  delivery_id: String(delivery.id),
  /** `held`: it waits because its subscription is paused or disabled. */
  ...jsonOf(delivery, 'subscriptionId', 'status', 'held'),
  tries: tries.map((one) => ({
    at: iso(one.startedAt),
    http_code: one.httpStatus,
    ...jsonOf(one, 'attempt', 'durationMs', 'error'),
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

/** How far the latest replacement of its eSIM is; null: none was requested. */
const replacementView = ({ replacement }: OrderTrail) =>
  replacement
    ? {
        status: replacement.status,
        order_id: replacement.orderId === null ? null : String(replacement.orderId),
        iccid: replacement.iccid,
      }
    : null;

function replacementSteps({ replacement }: OrderTrail) {
  if (!replacement) return [];
  const { requestedAt, reason, status, decidedAt, replacedAt, orderId, iccid } = replacement;
  const request = { kind: 'replacement_requested' as const, at: iso(requestedAt), reason };
  if (status === 'rejected' && decidedAt)
    return [request, { kind: 'replacement_rejected' as const, at: iso(decidedAt) }];
  if (replacedAt === null || orderId === null) return [request];
  return [request, { kind: 'replaced' as const, at: iso(replacedAt), order_id: String(orderId), iccid: iccid ?? '' }];
}

/** What happened to the eSIM on the phone, and to its data and days. */
const phoneView = ({ event, at, country, covered }: OrderTrail['phone'][number], n: number) => ({
  kind: 'phone' as const,
  at: iso(at),
  n,
  event,
  country,
  covered,
});

/** An order of software made for Airalo whose result comes by its webhook: all of it, or what was not there in time. */
function airaloSteps({ airalo }: OrderTrail) {
  if (!airalo) return [];
  const { createdAt, sentAt, isRest, url } = airalo;
  const promised = { kind: 'airalo' as const, at: iso(createdAt), is_rest: isRest, is_told: url !== null };
  return sentAt === null ? [promised] : [promised, { kind: 'airalo_sent' as const, at: iso(sentAt) }];
}

export function timelineView(trail: OrderTrail, placed: ReturnType<typeof placedView>) {
  const { order } = trail;
  // Of steps at the same moment, what caused the others comes first.
  const isReturn = ({ type }: OrderTrail['money'][number]) => type === 'refund';
  const steps = [
    placed,
    ...trail.money.filter((line) => !isReturn(line)).map(moneyView),
    ...refundSteps(trail),
    ...cancelSteps(trail),
    ...supplierSteps(trail),
    ...trail.money.filter(isReturn).map(moneyView),
    ...trail.phone.map(phoneView),
    ...replacementSteps(trail),
    ...airaloSteps(trail),
    ...eventSteps(trail),
    ...trail.refills.map(refillView),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return {
    refill_of: order.refillOf === null ? null : String(order.refillOf),
    replacement: replacementView(trail),
    steps,
    /** It is paid and waits for its eSIM. */
    waiting:
      order.nextAttemptAt === null
        ? null
        : { attempts: order.attempts, next_attempt_at: iso(order.nextAttemptAt), reason: order.deliveryReason },
  };
}

export type TimelineStep = ReturnType<typeof timelineView>['steps'][number];
export type StepOf<K extends TimelineStep['kind']> = Extract<TimelineStep, { kind: K }>;
