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
