import { type Cents, formatCents, type LowBalance } from '../money/money.ts';
import { refundBlock, type ToldRefund, type ToldUsage, usageBlock } from './event-blocks.ts';

/** The fields of a message between its event id and what its world adds. */
export type Fields = Readonly<Record<string, unknown>>;

/** The contract's six: what a subscription receives that names none. This list never grows. */
export const contractEvents = [
  // Once per order, in the order they can happen.
  'order.created',
  'order.paid',
  'order.delivered',
  'order.deferred',
  'order.failed',
  // Once per call of webhook/test.
  'order.test',
] as const;

/** Every event a subscription can name. */
export const eventNames = [
  ...contractEvents,
  // Once per refund: an order that is refunded in parts sends several.
  'order.refunded',
  // Once per eSIM; those about its data once per refill, too, and those about its end once per end.
  'esim.activated',
  'esim.usage_high',
  'esim.depleted',
  'esim.expiring',
  'esim.expired',
  // Each time the money falls below the level.
  'account.balance_low',
  // Once per top-up.
  'topup.succeeded',
] as const;

export type EventName = (typeof eventNames)[number];
export type OrderEventName = Exclude<Extract<EventName, `order.${string}`>, 'order.test'>;
export type EsimEventName = Extract<EventName, `esim.${string}`>;
export type AccountEventName = Exclude<EventName, `order.${string}` | `esim.${string}`>;

/** The events that usage readings show. */
export const esimEvents = eventNames.filter((name): name is EsimEventName => name.startsWith('esim.'));

/** A state change of one order. */
export interface OrderEvent {
  readonly partnerId: number;
  readonly orderId: bigint;
  /** The partner's own reference of the order; empty: none. */
  readonly reference: string;
  readonly event: OrderEventName;
  /** How many times this event has happened to this order, this time included; 1 if left out. */
  readonly n?: number;
  /** The order's status, where the event alone does not tell it. */
  readonly status?: string;
  /** For `order.refunded`: the refund as it is now. */
  readonly refund?: ToldRefund;
  readonly delivery: string;
  readonly deliveryReason: string;
  readonly iccid: string;
  /** An activation credential: the first device to install it gets the line. */
  readonly qrCode: string;
  readonly occurredAt: number;
}

/** What a usage reading shows of an eSIM. */
export interface EsimEvent {
  readonly partnerId: number;
  /** The order that brought it, and that order's reference. */
  readonly orderId: bigint;
  readonly reference: string;
  readonly iccid: string;
  readonly event: EsimEventName;
  /** How many times this event was told of this ICCID, this time included. */
  readonly n: number;
  readonly usage: ToldUsage;
  readonly occurredAt: number;
}

/** What happened to a partner's money. */
export interface AccountEvent {
  readonly partnerId: number;
  readonly event: AccountEventName;
  /** How many times this event was told of this account, this time included. */
  readonly n: number;
  /** What can be spent now; on credit terms the free credit. */
  readonly balance: Cents;
  /** For `account.balance_low`. */
  readonly level?: Cents;
  /** For `topup.succeeded`. */
  readonly amount?: Cents;
  readonly occurredAt: number;
}

export const balanceLow = ({ partnerId, balance, level, n }: LowBalance, at: Date): AccountEvent => ({
  partnerId,
  event: 'account.balance_low',
  n,
  balance,
  level,
  occurredAt: at.getTime(),
});

export type NewEvent = OrderEvent | EsimEvent | AccountEvent;

/** How the events of one world differ from the other's. */
export interface EventStyle {
  readonly eventIdPrefix: string;
  /** Fields at the end of every body. */
  readonly bodyExtra: Readonly<Record<string, unknown>>;
}

/** The `status` of each change. An order can be refunded in more than one state, so that event names its own. */
export const statuses: Readonly<Record<OrderEventName, string>> = {
  'order.created': '3',
  'order.paid': '4',
  'order.delivered': '1',
  'order.deferred': '4',
  'order.failed': '2',
  'order.refunded': '1',
};

export interface Message {
  readonly eventId: string;
  /** Exactly what is signed, stored, sent and shown. */
  readonly body: string;
}

/** The message of any event. */
export function messageOf(style: EventStyle, event: NewEvent): Message {
  if ('usage' in event) return message(style, event.event, event.iccid, event.n, esimFields(event));
  if ('balance' in event) return message(style, event.event, event.partnerId, event.n, accountFields(event));
  return orderMessage(style, event);
}

export function orderMessage(style: EventStyle, event: OrderEvent): Message {
  return message(style, event.event, event.orderId, event.n ?? 1, {
    ...orderFields(event.orderId, event.status ?? statuses[event.event], event),
    ...(event.refund && { refund: refundBlock(event.refund) }),
  });
}

type OrderDetails = Pick<OrderEvent, 'reference' | 'delivery' | 'deliveryReason' | 'iccid' | 'qrCode' | 'occurredAt'>;

export function orderFields(orderId: bigint, status: string, details: OrderDetails): Fields {
  return {
    order_id: Number(orderId),
    status,
    delivery: details.delivery,
    delivery_reason: details.deliveryReason,
    iccid: details.iccid,
    qr_code: details.qrCode,
    occurred_at: isoWithOffset(details.occurredAt),
    // An addition, so it comes after what the contract lists.
    reference: details.reference,
  };
}

export function esimFields(event: Pick<EsimEvent, 'occurredAt' | 'iccid' | 'orderId' | 'reference' | 'usage'>): Fields {
  return {
    occurred_at: isoWithOffset(event.occurredAt),
    iccid: event.iccid,
    order_id: Number(event.orderId),
    reference: event.reference,
    usage: usageBlock(event.usage),
  };
}

export function accountFields({
  occurredAt,
  balance,
  level,
  amount,
}: Pick<AccountEvent, 'occurredAt' | 'balance' | 'level' | 'amount'>): Fields {
  return {
    occurred_at: isoWithOffset(occurredAt),
    balance: formatCents(balance),
    ...(level !== undefined && { level: formatCents(level) }),
    ...(amount !== undefined && { amount: formatCents(amount) }),
  };
}

type Subject = bigint | number | string;

export function message(
  style: EventStyle,
  event: EventName,
  subject: Subject,
  n: bigint | number,
  fields: Fields,
): Message {
  const eventId = `${style.eventIdPrefix}${event}:${subject}:${n}`;
  const body = JSON.stringify({ event, event_id: eventId, ...fields, ...style.bodyExtra });
  return { eventId, body };
}

/** 2026-03-01T12:00:00+00:00 */
function isoWithOffset(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
