import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { type BasisPoints, NO_SHARE, toBasisPoints } from '../../../platform/amounts/percent.ts';
import { capped } from './formula.ts';

/** Top-ups inside the window that add up to `min` earn `share` of the margin. */
export interface ShareTier {
  readonly min: Cents;
  readonly share: BasisPoints;
}

export interface ShareTiers {
  readonly windowDays: number;
  /** By rising minimum. */
  readonly tiers: readonly ShareTier[];
}

const usd = (dollars: bigint): Cents => toCents(dollars * 100n);
const percent = (whole: bigint): BasisPoints => toBasisPoints(whole * 100n);

export const defaultShareTiers: ShareTiers = {
  windowDays: 90,
  tiers: [
    { min: usd(1_000n), share: percent(10n) },
    { min: usd(5_000n), share: percent(15n) },
    { min: usd(20_000n), share: percent(20n) },
  ],
};

export type TierProgress = ReturnType<typeof tierProgress>;

/** The tier that the top-ups inside the window qualify for, undefined below the first; and the one after it, undefined on the highest. */
export function tierProgress({ tiers }: ShareTiers, toppedUp: Cents) {
  const reached = tiers.filter((tier) => tier.min <= toppedUp).length;
  return { current: tiers[reached - 1], next: tiers[reached] };
}

type ShareSource = 'default' | 'tier' | 'account';

export interface AccountShare {
  readonly share: BasisPoints;
  readonly source: ShareSource;
}

/** A custom share disables the tiers. With neither, the share is zero. It never exceeds the cap. */
export function accountShare(
  custom: BasisPoints | undefined,
  { current }: TierProgress,
  cap: BasisPoints,
): AccountShare {
  if (custom !== undefined) return { share: capped(custom, cap), source: 'account' };
  if (current) return { share: capped(current.share, cap), source: 'tier' };
  return { share: NO_SHARE, source: 'default' };
}
