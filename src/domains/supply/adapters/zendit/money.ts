import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import { type Json, numberOf, textOf, wholeNumber } from '../loose.ts';

const MICROS_PER_USD = 1_000_000;
const USUAL_DIVISOR = 100;

/** Whole units of a currency's `divisor`, as they write money; null when it is missing, not in dollars or not countable. */
export function microsOfMinor(value: unknown, currency: unknown, divisor: unknown): Micros | null {
  const [amount, per] = [numberOf(value), numberOf(divisor) ?? USUAL_DIVISOR];
  if (amount === null || !(per > 0) || (textOf(currency) ?? 'USD') !== 'USD') return null;
  return toMicros(wholeNumber((amount * MICROS_PER_USD) / per));
}

/** A price or cost of an offer: without its fee, `fixed` is not what is paid. */
export function offerMicros({ fixed, fee, currency, currencyDivisor }: Json): Micros | null {
  const amount = numberOf(fixed);
  if (amount === null || amount < 0) return null;
  return microsOfMinor(amount + Math.max(0, numberOf(fee) ?? 0), currency, currencyDivisor);
}
