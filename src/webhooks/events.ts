import { timestamp } from '../clock.ts';
import { type Cents, formatCents, toCents } from '../money/money.ts';

/** A refund as partners read it, in answers and in event bodies. */
export interface ToldRefund {
  readonly status: 'requested' | 'refunded' | 'rejected';
  /** What was given back, over all refunds of the order. */
  readonly amount: Cents;
  readonly reason: string;
  readonly note: string;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
}

export const refundBlock = (refund: ToldRefund) => ({
  status: refund.status,
  amount: formatCents(refund.amount),
  reason: refund.reason,
  note: refund.note,
  requested_at: timestamp(refund.requestedAt),
  decided_at: timestamp(refund.decidedAt),
});

/** The fields of a message between its event id and what its world adds. */
type Fields = Readonly<Record<string, unknown>>;

const sampleOrder =
  (status: string, delivery = '') =>
  (occurredAt: number): Fields =>
    orderFields(0n, status, {
      reference: '',
      delivery,
      deliveryReason: '',
      iccid: '',
      qrCode: '',
      occurredAt,
    });

const sampleRefund = (occurredAt: number): Fields => {
  const at = new Date(occurredAt);
  const block = { reason: '', note: '', requestedAt: at, decidedAt: at };
  return {
    ...sampleOrder('1', 'delivered')(occurredAt),
    refund: refundBlock({ ...block, status: 'refunded', amount: toCents(450n) }),
  };
};

/** Every event, with the body of a sample: what a probe sends. To add one, write a line here. */
const samples = {
  // Once per order, in the order they can happen.
  'order.created': sampleOrder('3'),
  'order.paid': sampleOrder('4'),
  'order.delivered': sampleOrder('1', 'delivered'),
  'order.deferred': sampleOrder('4', 'deferred'),
  'order.failed': sampleOrder('2', 'failed'),
  // Once per call of webhook/test.
  'order.test': sampleOrder('test'),
  // Once per refund: an order that is refunded in parts sends several.
  'order.refunded': sampleRefund,
} as const satisfies Record<string, (occurredAt: number) => Fields>;

export type EventName = keyof typeof samples;
export type OrderEventName = Exclude<Extract<EventName, `order.${string}`>, 'order.test'>;

/** Every event a subscription can name. */
export const eventNames = Object.keys(samples) as readonly EventName[];

/** The contract's six: what a subscription receives that names none. This list never grows. */
export const contractEvents = [
  'order.created',
  'order.paid',
  'order.delivered',
  'order.deferred',
  'order.failed',
  'order.test',
] as const satisfies readonly EventName[];

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

/** How the events of one world differ from the other's. */
export interface EventStyle {
  readonly eventIdPrefix: string;
  /** Fields at the end of every body. */
  readonly bodyExtra: Readonly<Record<string, unknown>>;
}

/** The `status` of each change. An order can be refunded in more than one state, so that event names its own. */
const statuses: Readonly<Record<OrderEventName, string>> = {
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

export function orderMessage(style: EventStyle, event: OrderEvent): Message {
  return message(style, event.event, event.orderId, event.n ?? 1, {
    ...orderFields(event.orderId, event.status ?? statuses[event.event], event),
    ...(event.refund && { refund: refundBlock(event.refund) }),
  });
}

/** A message that describes no order; `n` makes its event id unique. */
export function sampleMessage(
  style: EventStyle,
  event: EventName,
  n: bigint | number,
  note: string,
  occurredAt: number,
): Message {
  return message(style, event, 0n, n, { ...samples[event](occurredAt), note });
}

type OrderDetails = Pick<OrderEvent, 'reference' | 'delivery' | 'deliveryReason' | 'iccid' | 'qrCode' | 'occurredAt'>;

function orderFields(orderId: bigint, status: string, details: OrderDetails): Fields {
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

function message(style: EventStyle, event: EventName, subject: bigint, n: bigint | number, fields: Fields): Message {
  const eventId = `${style.eventIdPrefix}${event}:${subject}:${n}`;
  const body = JSON.stringify({ event, event_id: eventId, ...fields, ...style.bodyExtra });
  return { eventId, body };
}

/** 2026-03-01T12:00:00+00:00 */
function isoWithOffset(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
