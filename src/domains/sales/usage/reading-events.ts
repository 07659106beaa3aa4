import { DAY } from '../../../platform/clock.ts';
import type { EsimEvent, PhoneEvent } from '../../messages/events/events.ts';
import type { KeptProfile, SoldEsim } from '../esims/esims.ts';
import type { UsageFigures } from './figures.ts';

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
export const HIGH = 0.8;
/** How long before its end an eSIM counts as expiring. */
export const EXPIRING_MS = 1 * DAY;

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
