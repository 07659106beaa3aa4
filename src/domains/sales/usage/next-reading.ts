import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { EsimEvent, PhoneEvent } from '../../messages/events/events.ts';
import type { KeptProfile, SoldEsim } from '../esims/esims.ts';
import type { Usage, UsageFigures } from './figures.ts';

/** An event of an eSIM, and the occasion for which it is published once. */
export interface Occasion<Name> {
  readonly event: Name;
  readonly occasion: string;
}

type Read = UsageFigures & {
  readonly isUnlimited: boolean;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
};

/** The part of the data after which usage counts as high. */
const HIGH = 0.8;
/** How long before its end an eSIM counts as expiring. */
const EXPIRING_MS = 1 * DAY;

/** Every event that follows from a reading, published before or not, in the order in which they happened. */
export function eventsOfReading(
  { refills }: Pick<SoldEsim, 'refills'>,
  usage: Read,
  now: number,
): Occasion<EsimEvent['event']>[] {
  const { status, usedMb, totalMb, remainingMb, isUnlimited, activatedAt, expiresAt } = usage;
  const isInUse = status === 'active' || status === 'depleted';
  const isMeasured = !isUnlimited && totalMb > 0;
  const isUsedUp = status === 'depleted' || (isMeasured && remainingMb === 0);
  const end = expiresAt === null ? '' : String(Math.floor(expiresAt.getTime() / 1000));
  const events: ReturnType<typeof eventsOfReading> = [];
  if (isInUse || activatedAt !== null || usedMb > 0) events.push({ event: 'esim.activated', occasion: '' });
  if (isUsedUp || (isMeasured && usedMb >= totalMb * HIGH))
    events.push({ event: 'esim.usage_high', occasion: String(refills) });
  if (isUsedUp) events.push({ event: 'esim.depleted', occasion: String(refills) });
  if (isInUse && expiresAt !== null && expiresAt.getTime() - now <= EXPIRING_MS)
    events.push({ event: 'esim.expiring', occasion: end });
  if (status === 'expired') events.push({ event: 'esim.expired', occasion: end });
  return events;
}

/** Every event that follows from a profile, published before or not. Only the latest of several changes of country is there. */
export function eventsOfProfile(profile: KeptProfile): Occasion<PhoneEvent['event']>[] {
  const { profileState: state, country, removals, countryChanges } = profile;
  const events: ReturnType<typeof eventsOfProfile> = [];
  if (state === 'installed' || state === 'enabled') events.push({ event: 'esim.installed', occasion: '' });
  if (state === 'deleted') events.push({ event: 'esim.removed', occasion: String(removals) });
  if (country !== null)
    // The country is part of it so that the record of what was published says where.
    events.push({ event: 'esim.country_changed', occasion: `${countryChanges} ${country}` });
  return events;
}

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
