declare const cents: unique symbol;
declare const micros: unique symbol;

/** Whole US cents. Everything that is charged, held or owed is Cents. */
export type Cents = bigint & { readonly [cents]: true };
/** Millionths of a US dollar: wholesale and unit costs keep six places. */
export type Micros = bigint & { readonly [micros]: true };

export const toCents = (amount: bigint): Cents => amount as Cents;
export const toMicros = (amount: bigint): Micros => amount as Micros;
export const ZERO: Cents = toCents(0n);
export const MICROS_PER_CENT = 10_000n;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** Reads a plain decimal ("12.3", "-0.05") as a whole number of 10^-places; undefined when it is not a number or has more places. */
function parseDecimal(text: string, places: number): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (fraction.length > places || whole.length > 15) return undefined;
  const units = BigInt(whole + fraction.padEnd(places, '0'));
  return sign === '-' ? -units : units;
}

export function parseCents(text: string): Cents | undefined {
  return parseDecimal(text, 2) as Cents | undefined;
}

export function parseMicros(text: string): Micros | undefined {
  return parseDecimal(text, 6) as Micros | undefined;
}

function formatDecimal(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Decimal string with two places, as the contract's string amounts are written. */
export const formatCents = (amount: Cents): string => formatDecimal(amount, 2);
export const formatMicros = (amount: Micros): string => formatDecimal(amount, 6);
/** The contract's decimal number. Exact: the division is rounded to the number that prints as the two-place decimal. */
export const centsToNumber = (amount: Cents): number => Number(amount) / 100;

/** Integer division that rounds half up (towards positive infinity): the one rounding rule for money that is charged. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const twice = 2n * dividend + divisor;
  const quotient = twice / (2n * divisor);
  return twice < 0n && twice % (2n * divisor) !== 0n ? quotient - 1n : quotient;
}

export const microsToCentsHalfUp = (amount: Micros): Cents => toCents(divideHalfUp(amount, MICROS_PER_CENT));
export const centsToMicros = (amount: Cents): Micros => toMicros(amount * MICROS_PER_CENT);
