import {
  type Cents,
  divideHalfUp,
  formatCents,
  parseCents,
  parseMicros,
  toCents,
} from '../../../platform/amounts/cents.ts';

declare const retailAmount: unique symbol;

/** Hundredths of the currency a partner sells in. */
export type RetailAmount = bigint & { readonly [retailAmount]: true };
/** Hundredths of a percent, on top of what the partner pays: 40 % is 4000. */
export type Markup = number;

/** How retail prices end: to the cent as they are, or raised to the next price with these cents. */
export const endings = {
  none: undefined,
  '.00': 0n,
  '.50': 50n,
  '.90': 90n,
  '.95': 95n,
  '.99': 99n,
} as const satisfies Record<string, bigint | undefined>;
export type Ending = keyof typeof endings;

/** A currency, how much of it a dollar is, and how prices in it are rounded. */
export interface RetailCurrency {
  readonly currency: string;
  readonly rateMicros: bigint;
  readonly ending: Ending;
}

const MICROS = 1_000_000n;
const WHOLE = 10_000n;
const UNIT = 100n;
const MAX_MARKUP = 100_000;
const MAX_RATE = 1_000_000n * MICROS;
const MAX_PRICE = 10_000_000_000n;
/** They have no cents. */
const WITHOUT_CENTS = ['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'UGX', 'VND', 'XAF', 'XOF'];

const hasCents = (currency: string): boolean => !WITHOUT_CENTS.includes(currency);
const toRetail = (amount: bigint): RetailAmount => amount as RetailAmount;

/**
 * Cost, markup and rate are multiplied exactly and rounded once: half up to the smallest coin, or up to the next price with the
 * ending.
 */
export function retailPrice(
  cost: Cents,
  markup: Markup,
  { currency, rateMicros, ending }: RetailCurrency,
): RetailAmount {
  const exact = cost * (WHOLE + BigInt(markup)) * rateMicros;
  const divisor = WHOLE * MICROS;
  if (!hasCents(currency)) return toRetail(divideHalfUp(exact, divisor * UNIT) * UNIT);
  const cents = endings[ending];
  return toRetail(cents === undefined ? divideHalfUp(exact, divisor) : roundUpToEnding(exact, divisor, cents));
}

/** The smallest amount that ends with these cents and is not below dividend / divisor, neither of which is negative. */
function roundUpToEnding(dividend: bigint, divisor: bigint, cents: bigint): bigint {
  const above = dividend - cents * divisor;
  if (above <= 0n) return cents;
  return ((above + divisor * UNIT - 1n) / (divisor * UNIT)) * UNIT + cents;
}

/** What a retail amount is in US dollars, rounded half up. */
export const inDollars = (amount: RetailAmount, { rateMicros }: RetailCurrency): Cents =>
  toCents(divideHalfUp(amount * MICROS, rateMicros));

export const marginOf = (price: RetailAmount, cost: Cents, currency: RetailCurrency): Cents =>
  toCents(inDollars(price, currency) - cost);

/** Orders of one plan that cost the same, and what was given back of their price. */
export interface Sold {
  readonly orders: number;
  readonly charged: Cents;
  readonly returned: Cents;
}

/** What one of them cost, rounded half up. */
export const unitCost = ({ orders, charged }: Sold): Cents =>
  toCents(orders === 0 ? 0n : divideHalfUp(charged, BigInt(orders)));

/** Their revenue at a price, rounded half up, reduced in proportion to their refunds. */
export function revenueOf({ orders, charged, returned }: Sold, price: RetailAmount): RetailAmount {
  const all = price * BigInt(orders);
  return toRetail(charged === 0n ? all : divideHalfUp(all * (charged - returned), charged));
}

/** "12.5" as 12.5 percent; undefined unless it is from 0 to 1000 with at most two places. */
export function parseMarkup(text: string): Markup | undefined {
  const units = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? parseCents(text) : undefined;
  return units !== undefined && units <= MAX_MARKUP ? Number(units) : undefined;
}

export const formatMarkup = (markup: Markup): string => String(markup / 100);

/** How much of a currency a dollar is, with up to six places. */
export function parseRate(text: string): bigint | undefined {
  const rate = /^\d{1,7}(\.\d{1,6})?$/.test(text) ? parseMicros(text) : undefined;
  return rate !== undefined && rate > 0n && rate <= MAX_RATE ? rate : undefined;
}

/** A price above zero, whole where the currency has no cents. */
export function parseRetailPrice(text: string, currency: string): RetailAmount | undefined {
  const amount = parseCents(text);
  if (amount === undefined || amount <= 0n || amount > MAX_PRICE) return undefined;
  return hasCents(currency) || amount % UNIT === 0n ? toRetail(amount) : undefined;
}

/** Decimal string, with two places in every currency. */
export const formatRetail = (amount: RetailAmount): string => formatCents(amount as bigint as Cents);

/** The margin in percent of the revenue; undefined: there is no revenue. */
export const marginPercent = (margin: Cents, revenue: Cents): number | undefined =>
  revenue <= 0n ? undefined : Number(divideHalfUp(margin * 100n, revenue));
