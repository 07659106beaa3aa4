import { type Cents, centsToMicros, type Micros, toMicros } from '../../../platform/amounts/cents.ts';
import { WHOLE } from '../../../platform/amounts/percent.ts';

/** What an alternate may cost. At most one of the two is set; neither: the price paid. */
export interface CostLimits {
  readonly maxCost: Micros | null;
  /** Of the price paid, in hundredths of a percent. */
  readonly minMargin: bigint | null;
}

export const noLimits: CostLimits = { maxCost: null, minMargin: null };

/** The most an alternate may cost in a sale at this price. Rounded down, so the margin holds. */
export function highestCost({ maxCost, minMargin }: CostLimits, price: Cents): Micros {
  if (maxCost !== null) return maxCost;
  const paid = centsToMicros(price);
  return minMargin === null ? paid : toMicros((paid * (WHOLE - minMargin)) / WHOLE);
}
