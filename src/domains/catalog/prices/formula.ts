import { type Cents, centsToMicros, divideHalfUp, MICROS_PER_CENT, toCents } from '../../../platform/amounts/cents.ts';
import { type BasisPoints, NO_SHARE, toBasisPoints, WHOLE } from '../../../platform/amounts/percent.ts';
import type { Plan } from '../catalog.ts';

export function capped(share: BasisPoints, cap: BasisPoints): BasisPoints {
  if (share > cap) return cap;
  return share;
}

type Priced = Pick<Plan, 'listPrice' | 'cost'>;

/** What the operator earns at list price, in micros. Zero if the cost is unknown or above the list price. */
export function margin({ listPrice, cost }: Priced): bigint {
  if (cost === null) return 0n;
  const earned = centsToMicros(listPrice) - cost;
  return earned > 0n ? earned : 0n;
}

/** List price minus a share of the margin, rounded once, half up, and never below cost. */
export function sharedPrice(plan: Priced, share: BasisPoints): Cents {
  const earned = margin(plan);
  if (earned === 0n || plan.cost === null) return plan.listPrice;
  const exact = centsToMicros(plan.listPrice) * WHOLE - earned * share;
  const rounded = divideHalfUp(exact, MICROS_PER_CENT * WHOLE);
  // A cost with six places may lie between two cents. Rounding must not go below it.
  const lowest = divideUp(plan.cost, MICROS_PER_CENT);
  if (rounded < lowest) return toCents(lowest);
  return toCents(rounded);
}

/** Whether a fixed price lies between the floor the cap allows and the list price. */
export function isAllowedPrice(plan: Priced, price: Cents, cap: BasisPoints): boolean {
  const aboveFloor = (centsToMicros(plan.listPrice) - centsToMicros(price)) * WHOLE <= margin(plan) * cap;
  return aboveFloor && price <= plan.listPrice;
}

/** The lowest fixed price that `isAllowedPrice` accepts. */
export function lowestFixedPrice(plan: Priced, cap: BasisPoints): Cents {
  const exact = centsToMicros(plan.listPrice) * WHOLE - margin(plan) * cap;
  return toCents(divideUp(exact, MICROS_PER_CENT * WHOLE));
}

/** Of numbers that are not negative. */
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** The share of the margin that a discount amounts to after rounding. */
export function discountShare(plan: Priced, discount: Cents): BasisPoints {
  const earned = margin(plan);
  return earned === 0n ? NO_SHARE : toBasisPoints(divideHalfUp(centsToMicros(discount) * WHOLE, earned));
}

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
