import { plainly } from './json.ts';

export interface RefundValues {
  readonly status: 'requested' | 'refunded' | 'rejected';
  /** The total refunded, over all refunds of the order. Money comes as text with two decimals. */
  readonly amount: string;
  readonly reason: string;
  readonly note: string;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
}

/** The Refund resource: in answers, and in the bodies of the events of refunds. */
export const refundBody = (refund: RefundValues) =>
  plainly(refund, 'status', 'amount', 'reason', 'note', 'requestedAt', 'decidedAt');

export interface UsageValues {
  readonly iccid: string;
  readonly orderId: bigint;
  readonly productTitle: string;
  readonly status: 'not_active' | 'active' | 'depleted' | 'expired';
  readonly tone: 'ok' | 'warning' | 'danger';
  readonly totalMb: number;
  readonly usedMb: number;
  readonly remainingMb: number;
  readonly percentRemaining: number;
  readonly isUnlimited: boolean;
  readonly fairUseText: string;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly daysLeft: number | null;
  readonly fetchedAt: Date;
}

export const usageBody = (usage: UsageValues) => ({
  iccid: usage.iccid,
  sale_id: Number(usage.orderId),
  title: usage.productTitle,
  ...plainly(usage, 'status', 'tone', 'totalMb', 'usedMb', 'remainingMb', 'percentRemaining', 'isUnlimited'),
  ...plainly(usage, 'fairUseText', 'activatedAt', 'expiresAt', 'daysLeft', 'fetchedAt'),
});

/** What is known of an eSIM on the phone. */
export interface ProfileValues {
  readonly state: 'released' | 'downloaded' | 'installed' | 'enabled' | 'disabled' | 'deleted' | 'unknown';
  readonly device: { readonly brand: string; readonly model: string } | null;
  readonly country: string | null;
  readonly covered: boolean | null;
  readonly seenAt: Date | null;
}

/** The Profile resource: in the rows of eSIMs, and in the bodies of events about the phone. */
export const profileBody = (profile: ProfileValues) => ({
  state: profile.state,
  device: profile.device && plainly(profile.device, 'brand', 'model'),
  ...plainly(profile, 'country', 'covered', 'seenAt'),
});

/** The rule by which an eSIM refills itself. */
export interface AutorefillValues {
  readonly productId: string;
  readonly atPercent: number;
  readonly times: number;
  readonly done: number;
  /** Money comes as text with two decimals. */
  readonly maxPrice: string;
  readonly stopped: 'price' | 'money' | 'limit' | 'product' | 'done' | null;
}

/** The Autorefill resource: in answers, and in the body of `esim.autorefill_stopped`. */
export const autorefillBody = (rule: AutorefillValues) =>
  plainly(rule, 'productId', 'atPercent', 'times', 'done', 'maxPrice', 'stopped');

/** A limit on spending, and its use. Amounts are in USD. */
export interface LimitValues {
  readonly scope: 'key' | 'partner';
  readonly per: 'order' | 'hour' | 'day' | 'month';
  readonly amount: number | null;
  readonly count: number | null;
  readonly usedAmount: number;
  readonly usedCount: number;
  readonly resetsAt: Date | null;
}

/** The Limit resource: in answers, refusals, and the body of `account.limit_reached`. */
export const limitBody = (limit: LimitValues) =>
  plainly(limit, 'scope', 'per', 'amount', 'count', 'usedAmount', 'usedCount', 'resetsAt');

/** What the Replacement resource is written from. */
export interface ReplacementValues {
  readonly status: 'replaced' | 'pending' | 'requested' | 'rejected';
  /** The new order; null while none is placed. */
  readonly orderId: bigint | null;
  /** Of the new eSIM; null until it is delivered. */
  readonly iccid: string | null;
  readonly oldIccid: string;
}

/** The Replacement resource: in answers, and in the body of `esim.replaced`. */
export const replacementBody = (replacement: ReplacementValues) =>
  plainly(replacement, 'status', 'orderId', 'iccid', 'oldIccid');

/** An invoice or a credit note. Money comes as text with two decimals. */
export interface InvoiceValues {
  readonly id: bigint;
  readonly number: string;
  readonly kind: 'invoice' | 'credit_note';
  readonly status: 'open' | 'paid' | 'overdue' | 'void';
  readonly month: string;
  readonly issuedAt: Date;
  readonly dueAt: Date | null;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly amountPaid: string;
  readonly amountDue: string;
  readonly credits: string | null;
}

export const invoiceBody = (invoice: InvoiceValues) => ({
  ...plainly(invoice, 'id', 'number', 'kind', 'status', 'month', 'issuedAt', 'dueAt'),
  ...plainly(invoice, 'net', 'tax', 'total', 'amountPaid', 'amountDue'),
  currency: 'USD' as const,
  credits: invoice.credits,
});
