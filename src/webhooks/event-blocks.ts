import { timestamp } from '../clock.ts';
import { type Cents, formatCents } from '../money/money.ts';
import type { UsageState } from '../suppliers/suppliers.ts';

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

/** The usage of an eSIM as partners read it, in answers and in event bodies. */
export interface ToldUsage {
  readonly iccid: string;
  readonly orderId: bigint;
  readonly productTitle: string;
  readonly status: UsageState;
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

/** The contract's Usage resource. */
export const usageBlock = (usage: ToldUsage) => ({
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
