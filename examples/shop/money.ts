/** Money is counted in whole cents: 0.1 + 0.2 is not 0.3 in a number. */
export const centsOf = (usd: string | number): number => Math.round(Number(usd) * 100);

/** `4.50`, as the API takes it. */
export const usd = (cents: number): string => (cents / 100).toFixed(2);
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

const MARKUP = 1.35;
const STEP_CENTS = 50;

/** What a customer pays for a plan that costs the shop this much: a third more, and then the next price that ends in 49 or 99. */
export const retailCents = (costCents: number): number =>
  Math.ceil((costCents * MARKUP + 1) / STEP_CENTS) * STEP_CENTS - 1;
