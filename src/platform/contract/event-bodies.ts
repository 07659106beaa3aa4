import { type LimitValues, limitBody, refundBody, type UsageValues, usageBody } from './resources.ts';

/*
 * The bodies of events with the contract's field names, in its order. Webhooks decide which event happens and hand over values; what
 * a receiver reads is written here only. Money comes as text with two decimals.
 */

/** The fields of a body between its event id and what its world adds. */
export type EventFields = Readonly<Record<string, unknown>>;

interface OrderValues {
  readonly orderId: bigint;
  readonly status: string;
  readonly reference: string;
  readonly delivery: string;
  readonly deliveryReason: string;
  readonly iccid: string;
  readonly qrCode: string;
  readonly occurredAt: number;
  readonly refund?: Parameters<typeof refundBody>[0] | undefined;
}

export const orderFields = (order: OrderValues): EventFields => ({
  order_id: Number(order.orderId),
  status: order.status,
  delivery: order.delivery,
  delivery_reason: order.deliveryReason,
  iccid: order.iccid,
  qr_code: order.qrCode,
  occurred_at: isoWithOffset(order.occurredAt),
  // Additions, so they come after what the contract lists.
  reference: order.reference,
  ...(order.refund && { refund: refundBody(order.refund) }),
});

interface EsimValues {
  readonly occurredAt: number;
  readonly iccid: string;
  readonly orderId: bigint;
  readonly reference: string;
  readonly usage: UsageValues;
}

export const esimFields = (esim: EsimValues): EventFields => ({
  occurred_at: isoWithOffset(esim.occurredAt),
  iccid: esim.iccid,
  order_id: Number(esim.orderId),
  reference: esim.reference,
  usage: usageBody(esim.usage),
});

interface AccountValues {
  readonly occurredAt: number;
  readonly balance: string;
  readonly level?: string | undefined;
  readonly amount?: string | undefined;
}

export const accountFields = ({ occurredAt, balance, level, amount }: AccountValues): EventFields => ({
  occurred_at: isoWithOffset(occurredAt),
  balance,
  ...(level !== undefined && { level }),
  ...(amount !== undefined && { amount }),
});

export const limitFields = ({ occurredAt, limit }: { occurredAt: number; limit: LimitValues }): EventFields => ({
  occurred_at: isoWithOffset(occurredAt),
  limit: limitBody(limit),
});

/** What a partner's catalog became, and from what: counts of plans. */
export interface CatalogValues {
  readonly version: string;
  readonly since: string;
  readonly changed: number;
  readonly removed: number;
  readonly pricesUp: number;
  readonly pricesDown: number;
}

export const catalogFields = (of: CatalogValues & { readonly occurredAt: number }): EventFields => ({
  occurred_at: isoWithOffset(of.occurredAt),
  version: of.version,
  since: of.since,
  changed: of.changed,
  removed: of.removed,
  prices_up: of.pricesUp,
  prices_down: of.pricesDown,
});

/** Exactly what is signed, stored, sent and shown. */
export const eventBody = (event: string, eventId: string, fields: EventFields, extra: EventFields): string =>
  JSON.stringify({ event, event_id: eventId, ...fields, ...extra });

/** 2026-03-01T12:00:00+00:00 */
const isoWithOffset = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;
