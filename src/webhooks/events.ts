/** The events of an order in the order they can happen, and the one webhook/test sends. */
export const eventNames = [
  'order.created',
  'order.paid',
  'order.delivered',
  'order.deferred',
  'order.failed',
  'order.test',
] as const;

export type EventName = (typeof eventNames)[number];
export type OrderEventName = Exclude<EventName, 'order.test'>;

/** A state change of one order. */
export interface OrderEvent {
  readonly partnerId: number;
  readonly orderId: bigint;
  /** The partner's own reference of the order; empty: none. */
  readonly reference: string;
  readonly event: OrderEventName;
  /** How many times this event has happened to this order, this time included; 1 if left out. */
  readonly n?: number;
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

/** The `status` each event reports. */
const statuses = {
  'order.created': '3',
  'order.paid': '4',
  'order.delivered': '1',
  'order.deferred': '4',
  'order.failed': '2',
  'order.test': 'test',
} as const satisfies Record<EventName, string>;

/** The `delivery` of a sample, for events that always have one: receivers act on `status` and `delivery`. */
const sampleDelivery: Partial<Record<EventName, string>> = {
  'order.delivered': 'delivered',
  'order.deferred': 'deferred',
  'order.failed': 'failed',
};

export interface Message {
  readonly eventId: string;
  /** Exactly what is signed, stored, sent and shown. */
  readonly body: string;
}

export function orderMessage(style: EventStyle, event: OrderEvent): Message {
  return message(style, event.event, event.orderId, event.n ?? 1, {
    reference: event.reference,
    delivery: event.delivery,
    deliveryReason: event.deliveryReason,
    iccid: event.iccid,
    qrCode: event.qrCode,
    occurredAt: event.occurredAt,
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
  const delivery = sampleDelivery[event] ?? '';
  return message(style, event, 0n, n, {
    reference: '',
    delivery,
    deliveryReason: '',
    iccid: '',
    qrCode: '',
    occurredAt,
    note,
  });
}

interface Details {
  reference: string;
  delivery: string;
  deliveryReason: string;
  iccid: string;
  qrCode: string;
  occurredAt: number;
  note?: string;
}

function message(style: EventStyle, event: EventName, orderId: bigint, n: bigint | number, details: Details): Message {
  const eventId = `${style.eventIdPrefix}${event}:${orderId}:${n}`;
  const body = JSON.stringify({
    event,
    event_id: eventId,
    order_id: Number(orderId),
    status: statuses[event],
    delivery: details.delivery,
    delivery_reason: details.deliveryReason,
    iccid: details.iccid,
    qr_code: details.qrCode,
    occurred_at: isoWithOffset(details.occurredAt),
    // An addition, so it comes after what the contract lists.
    reference: details.reference,
    ...(details.note === undefined ? {} : { note: details.note }),
    ...style.bodyExtra,
  });
  return { eventId, body };
}

/** 2026-03-01T12:00:00+00:00 */
function isoWithOffset(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}+00:00`;
}
