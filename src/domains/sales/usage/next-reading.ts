import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { SoldEsim } from '../esims/esims.ts';
import type { Usage } from './figures.ts';
import { EXPIRING_MS, HIGH } from './reading-events.ts';

const SOONEST_MS = 10 * MINUTE;
const LATEST_MS = 3 * HOUR;
const USED_UP_MS = 12 * HOUR;
/** An eSIM that was not activated for this long is no longer read. */
const FORGOTTEN_MS = 400 * DAY;

/** How long to wait for an eSIM that is not in use, by the time since its delivery. */
const idleMs = (ageMs: number): number => (ageMs < 2 * DAY ? 1 : ageMs < 30 * DAY ? 6 : 24) * HOUR;

/** What worlds decide differently about when to read an eSIM. */
export interface WatchTerms {
  /** Over how long the first readings of a partner's earlier eSIMs are spread, so that they do not all come due at once. */
  readonly spreadMs: number;
  /**
   * `usage` is undefined if there was no reading; `refillAt` is the percent at which it refills itself, if it does. Undefined: nothing more can happen to it, unless it is refilled.
   */
  nextReadingAt(
    sold: Pick<SoldEsim, 'deliveredAt'>,
    usage: Usage | undefined,
    now: number,
    refillAt: number | null,
  ): number | undefined;
}

/**
 * When an eSIM is to be read next: rarely while nothing happens, sooner the nearer the next threshold is at the pace it has been used,
 * and in any case when its end comes. Undefined: nothing more can happen to it, unless it is refilled.
 */
export function nextReadingAt(
  sold: Pick<SoldEsim, 'deliveredAt'>,
  usage: Usage | undefined,
  now: number,
  refillAt: number | null = null,
): number | undefined {
  const ageMs = now - sold.deliveredAt.getTime();
  if (usage?.status === 'expired') return undefined;
  if (usage === undefined || usage.status === 'not_active')
    return ageMs > FORGOTTEN_MS ? undefined : now + Math.min(idleMs(ageMs), usage ? FORGOTTEN_MS : HOUR);
  return Math.min(now + paceMs(sold, usage, now, refillAt), nextEndAt(usage, now) ?? Number.POSITIVE_INFINITY);
}

/** For eSIMs that people use, at suppliers that may not answer. */
export const watchedUsage: WatchTerms = { spreadMs: 10 * MINUTE, nextReadingAt };

/** The next moment at which time alone makes an event true. */
export function nextEndAt({ status, expiresAt }: Usage, now: number): number | undefined {
  if (status === 'not_active' || status === 'expired' || expiresAt === null) return undefined;
  const ends = [expiresAt.getTime() - EXPIRING_MS, expiresAt.getTime()];
  const next = ends.find((at) => at > now);
  return next === undefined ? undefined : next + SECOND;
}

/** Half of the time the eSIM has to the next threshold if it goes on as it has so far. */
function paceMs(
  { deliveredAt }: Pick<SoldEsim, 'deliveredAt'>,
  usage: Usage,
  now: number,
  refillAt: number | null,
): number {
  const { status, isUnlimited, totalMb, usedMb, activatedAt } = usage;
  if (status === 'depleted' || isUnlimited || totalMb <= 0) return USED_UP_MS;
  const inUseMs = Math.max(HOUR, now - (activatedAt ?? deliveredAt).getTime());
  const marks = [HIGH, 1, ...(refillAt === null ? [] : [refillAt / 100])].map((part) => part * totalMb);
  const threshold = Math.min(...marks.filter((mark) => usedMb < mark));
  const leftMs = usedMb > 0 ? ((threshold - usedMb) / usedMb) * inUseMs : LATEST_MS;
  return Math.round(Math.min(LATEST_MS, Math.max(SOONEST_MS, leftMs / 2)));
}
