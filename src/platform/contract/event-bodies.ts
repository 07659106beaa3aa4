import { plainly } from './json.ts';
import {
  type AutorefillValues,
  autorefillBody,
  type InvoiceValues,
  invoiceBody,
  type LimitValues,
  limitBody,
  type ProfileValues,
  profileBody,
  type RefundValues,
  type ReplacementValues,
  refundBody,
  replacementBody,
  type UsageValues,
  usageBody,
} from './resources.ts';

/*
 * The bodies of events with the contract's field names, in its order. Webhooks decide which event happens and hand over values; what
 * a receiver reads is written here only. Money comes as text with two decimals.
 */

/** The fields of a body between its event id and what its world adds. */
export type EventFields = Readonly<Record<string, unknown>>;

export interface OrderValues {
  readonly orderId: bigint;
  readonly status: string;
  /** The partner's own reference of the order; empty: none. */
  readonly reference: string;
  readonly delivery: string;
  readonly deliveryReason: string;
  readonly iccid: string;
  /** An activation credential: the first device to install it gets the line. */
  readonly qrCode: string;
  readonly occurredAt: number;
  readonly refund?: RefundValues | undefined;
}

export const orderFields = (order: OrderValues): EventFields => ({
  order_id: Number(order.orderId),
  ...plainly(order, 'status', 'delivery', 'deliveryReason', 'iccid', 'qrCode'),
  occurred_at: isoWithOffset(order.occurredAt),
  // Additions, so they come after what the contract lists.
  reference: order.reference,
  ...(order.refund && { refund: refundBody(order.refund) }),
});

type EsimValues = Pick<OrderValues, 'occurredAt' | 'iccid' | 'orderId' | 'reference'>;

/** The fields of an event about an eSIM: what all of them begin with, then its own. */
const aboutEsim =
  <Own>(fields: (own: Own) => EventFields) =>
  (of: EsimValues & Own): EventFields => ({
    occurred_at: isoWithOffset(of.occurredAt),
    iccid: of.iccid,
    order_id: Number(of.orderId),
    reference: of.reference,
    ...fields(of),
  });

export const esimFields = aboutEsim(({ usage }: { readonly usage: UsageValues }) => ({ usage: usageBody(usage) }));

export const phoneFields = aboutEsim(
  ({ event, profile }: { readonly event: string; readonly profile: ProfileValues }) => ({
    ...(event === 'esim.country_changed' && plainly(profile, 'country', 'covered')),
    profile: profileBody(profile),
  }),
);

export const replacedFields = aboutEsim(({ replacement }: { readonly replacement: ReplacementValues }) => ({
  replacement: replacementBody(replacement),
}));

export const autorefillFields = aboutEsim(({ autorefill }: { readonly autorefill: AutorefillValues }) => ({
  stopped: autorefill.stopped,
  autorefill: autorefillBody(autorefill),
}));

/** A request for help, with what was known when it was sent. */
export interface HelpValues {
  readonly id: bigint;
  readonly language: string;
  /** What the page advised. */
  readonly step: string;
  readonly email: string;
  readonly message: string;
  readonly facts: {
    readonly shows: string;
    readonly profile: string;
    readonly country: string | null;
    readonly isCovered: boolean | null;
    readonly wasUsed: boolean;
    readonly hasDataLeft: boolean;
    readonly remainingMb: number | null;
    readonly endsAt: string | null;
    readonly hasEnded: boolean;
    readonly isSuspended: boolean;
    readonly isDelivered: boolean;
    readonly isSupplierDown: boolean;
    readonly needsApn: boolean;
  };
}

/** The facts of a request for help: in the body of its event, and in the panel. */
export const helpFacts = (facts: HelpValues['facts']) => ({
  profile_state: facts.profile,
  country: facts.country,
  covered: facts.isCovered,
  used: facts.wasUsed,
  data_left: facts.hasDataLeft,
  remaining_mb: facts.remainingMb,
  ends_at: facts.endsAt,
  ended: facts.hasEnded,
  suspended: facts.isSuspended,
  delivered: facts.isDelivered,
  supplier_outage: facts.isSupplierDown,
  apn_needed: facts.needsApn,
});

export const helpFields = aboutEsim(({ help }: { readonly help: HelpValues }) => ({
  help: {
    id: Number(help.id),
    shows: help.facts.shows,
    ...plainly(help, 'step', 'language', 'email', 'message'),
    facts: helpFacts(help.facts),
  },
}));

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

export const limitFields = (of: { readonly occurredAt: number; readonly limit: LimitValues }): EventFields => ({
  occurred_at: isoWithOffset(of.occurredAt),
  limit: limitBody(of.limit),
});

export const invoiceFields = (of: { readonly occurredAt: number; readonly invoice: InvoiceValues }): EventFields => ({
  occurred_at: isoWithOffset(of.occurredAt),
  invoice: invoiceBody(of.invoice),
});

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
  ...plainly(of, 'version', 'since', 'changed', 'removed', 'pricesUp', 'pricesDown'),
});

/** Exactly what is signed, stored, sent and shown. */
export const eventBody = (event: string, eventId: string, fields: EventFields, extra: EventFields): string =>
  JSON.stringify({ event, event_id: eventId, ...fields, ...extra });

/** 2026-03-01T12:00:00+00:00 */
const isoWithOffset = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+00:00`;
