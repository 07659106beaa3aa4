import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import { numberOf, wholeNumber } from '../loose.ts';

/** Their unit of money, a ten-thousandth of a dollar. */
export const MICROS_PER_UNIT = 100n;

/** An amount in their unit; null when it is missing or negative. */
export function microsOfUnits(value: unknown): Micros | null {
  const units = numberOf(value);
  return units === null || units < 0 ? null : toMicros(wholeNumber(units) * MICROS_PER_UNIT);
}

/** A cost as the price we expect, which they check; undefined when it is unknown or finer than their unit. */
export const unitsOf = (cost: Micros): number | undefined =>
  cost > 0n && cost % MICROS_PER_UNIT === 0n ? Number(cost / MICROS_PER_UNIT) : undefined;
