import { DAY, MINUTE } from '../../../../platform/clock.ts';
import type { EsimReference, UsageAnswer, UsageReading } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import type { ZenditClient } from './client.ts';
import { type InstalledPlan, readPlans } from './installed-plans.ts';

/** A new eSIM may take this long to be listed. */
const LISTED_WITHIN_MS = 10 * MINUTE;

export async function readUsage(
  client: ZenditClient,
  esim: EsimReference,
  deadline: Deadline,
  now: number,
): Promise<UsageAnswer> {
  const found = await readPlans(client, esim.iccid, deadline);
  if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
  if (!found.known) return { outcome: 'none' };
  const { plans } = found.known;
  if (plans.length > 0) return { outcome: 'reading', reading: listed(plans, esim) };
  // We never sold such an eSIM.
  if (esim.supplierOrder === null) return { outcome: 'none' };
  return { outcome: 'reading', reading: unlisted(esim, now) };
}

/** Only plans that run or wait are listed. What we sold beyond them is used up. */
function listed(plans: readonly InstalledPlan[], { amountMb = 0 }: EsimReference): UsageReading {
  const sum = (mb: (plan: InstalledPlan) => number) => plans.reduce((total, plan) => total + mb(plan), 0);
  const listedMb = sum(({ initialMb }) => initialMb);
  const isUnlimited = plans.some((plan) => plan.isUnlimited);
  const totalMb = Math.max(amountMb, listedMb);
  const running = plans.filter(({ isRunning }) => isRunning);
  const isActive = running.length > 0 || (!isUnlimited && listedMb < amountMb);
  const starts = running.flatMap(({ startAt }) => startAt?.getTime() ?? []);
  const ends = plans.flatMap(({ endAt }) => endAt?.getTime() ?? []);
  return {
    state: isActive ? 'active' : 'not_active',
    totalMb: isUnlimited ? null : totalMb,
    usedMb: isUnlimited
      ? 0
      : totalMb -
        Math.min(
          totalMb,
          sum(({ remainingMb }) => remainingMb),
        ),
    activatedAt: starts.length > 0 ? new Date(Math.min(...starts)) : null,
    // A plan that waits has no end yet, so the eSIM has none either.
    expiresAt: isActive && ends.length === plans.length ? new Date(Math.max(...ends)) : null,
  };
}

/**
 * None of its plans runs or waits. What we sold and the last reading decide: before its days can be over, the eSIM is depleted;
 * afterwards it has expired, with the usage of that reading. If it was never read, all data counts as used, so that nothing is
 * credited for data that may have been used.
 */
function unlisted({ amountMb, day, deliveredAt, last }: EsimReference, now: number): UsageReading {
  const sold = deliveredAt.getTime();
  const known = last && last.fetchedAt.getTime() >= sold ? last : undefined;
  const times = { activatedAt: known?.activatedAt ?? null, expiresAt: known?.expiresAt ?? null };
  if (!known && now < sold + LISTED_WITHIN_MS) return { state: 'not_active', totalMb: null, usedMb: 0, ...times };
  const totalMb = known?.totalMb ?? amountMb ?? null;
  const isOver = now >= (times.expiresAt?.getTime() ?? sold + day * DAY);
  const usedMb = (isOver ? known?.usedMb : undefined) ?? totalMb ?? 0;
  return { state: isOver ? 'expired' : 'depleted', totalMb, usedMb, ...times };
}
