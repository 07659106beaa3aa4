import { DAY } from '../../../platform/clock.ts';
import type { UsageValues } from '../../../platform/contract/resources.ts';
import type { UsageReading, UsageState } from '../../supply/port/port.ts';
import type { KeptReading, SoldEsim } from '../esims/esims.ts';

export type Tone = 'ok' | 'warning' | 'danger';

/** The figures a partner reads, derived from what the supplier reported. */
export type UsageFigures = Pick<
  UsageValues,
  'status' | 'tone' | 'totalMb' | 'usedMb' | 'remainingMb' | 'percentRemaining' | 'daysLeft'
>;

const WARNING_PERCENT = 20;
const WARNING_MS = 2 * DAY;

export function usageFigures(
  reading: UsageReading,
  plan: { readonly amountMb: number; readonly isUnlimited: boolean },
  now: number,
): UsageFigures {
  const totalMb = reading.totalMb ?? plan.amountMb;
  const remainingMb = Math.max(0, totalMb - reading.usedMb);
  const status = statusOf(reading, !plan.isUnlimited && totalMb > 0 && remainingMb === 0, now);
  // An unlimited plan has no total to measure against: it is full until it ends.
  const measured = totalMb > 0 ? Math.floor((remainingMb / totalMb) * 100) : 100;
  const percentRemaining = plan.isUnlimited ? (isOver(status) ? 0 : 100) : measured;
  const leftMs = reading.expiresAt && Math.max(0, reading.expiresAt.getTime() - now);
  return {
    status,
    tone: toneOf(status, percentRemaining, leftMs),
    totalMb,
    usedMb: reading.usedMb,
    remainingMb,
    percentRemaining,
    daysLeft: leftMs === null ? null : Math.ceil(leftMs / DAY),
  };
}

function statusOf(reading: UsageReading, isUsedUp: boolean, now: number): UsageState {
  if (reading.state === 'not_active') return 'not_active';
  if (reading.state === 'expired' || (reading.expiresAt !== null && reading.expiresAt.getTime() <= now))
    return 'expired';
  return reading.state === 'depleted' || isUsedUp ? 'depleted' : 'active';
}

const isOver = (status: UsageState): boolean => status === 'depleted' || status === 'expired';

/** Judged by the time left, not by `days_left`, which is rounded up and says 2 from 24 hours on. */
function toneOf(status: UsageState, percentRemaining: number, leftMs: number | null): Tone {
  if (isOver(status)) return 'danger';
  return percentRemaining < WARNING_PERCENT || (leftMs !== null && leftMs < WARNING_MS) ? 'warning' : 'ok';
}

/** How much of its data an eSIM in use has used, in percent; undefined: it is not in use. One without a total has used none until it is used up. */
export function percentUsedOf({
  status,
  usedMb,
  totalMb,
  isUnlimited,
}: UsageFigures & { readonly isUnlimited: boolean }): number | undefined {
  if (status === 'depleted') return 100;
  if (status !== 'active') return undefined;
  return isUnlimited || totalMb <= 0 ? 0 : Math.min(100, (100 * usedMb) / totalMb);
}

/** Usage of one eSIM as the partner sees it. */
export interface Usage extends Omit<UsageValues, 'fairUseText'> {
  readonly productId: string;
}

/** A reading of an eSIM as the partner sees it. */
export function usageOf(sold: SoldEsim, reading: KeptReading, now: number): Usage {
  const { iccid, orderId, productId, productTitle, isUnlimited } = sold;
  const { activatedAt, expiresAt, fetchedAt } = reading;
  const figures = usageFigures(reading, sold, now);
  return { ...figures, iccid, orderId, productId, productTitle, isUnlimited, activatedAt, expiresAt, fetchedAt };
}
