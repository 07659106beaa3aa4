import { timestamp } from '../clock.ts';

/** The Refund resource: in answers, and in the bodies of the events of refunds. */
export const refundBody = (refund: {
  readonly status: 'requested' | 'refunded' | 'rejected';
  /** Money comes as text with two decimals. */
  readonly amount: string;
  readonly reason: string;
  readonly note: string;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
}) => ({
  status: refund.status,
  amount: refund.amount,
  reason: refund.reason,
  note: refund.note,
  requested_at: timestamp(refund.requestedAt),
  decided_at: timestamp(refund.decidedAt),
});

/** What the Usage resource is written from. */
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

/** The contract's Usage resource: in answers, and in the bodies of `esim.*`. */
export const usageBody = (usage: UsageValues) => ({
  iccid: usage.iccid,
  sale_id: Number(usage.orderId),
  title: usage.productTitle,
  status: usage.status,
  tone: usage.tone,
  total_mb: usage.totalMb,
  used_mb: usage.usedMb,
  remaining_mb: usage.remainingMb,
  percent_remaining: usage.percentRemaining,
  is_unlimited: usage.isUnlimited,
  fair_use_text: usage.fairUseText,
  activated_at: timestamp(usage.activatedAt),
  expires_at: timestamp(usage.expiresAt),
  days_left: usage.daysLeft,
  fetched_at: timestamp(usage.fetchedAt),
});

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
export const limitBody = (limit: LimitValues) => ({
  scope: limit.scope,
  per: limit.per,
  amount: limit.amount,
  count: limit.count,
  used_amount: limit.usedAmount,
  used_count: limit.usedCount,
  resets_at: timestamp(limit.resetsAt),
});
