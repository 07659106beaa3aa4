import {
  type Cents,
  centsToMicros,
  divideHalfUp,
  MICROS_PER_CENT,
  toCents,
  toMicros,
  ZERO,
} from '../../../platform/amounts/cents.ts';
import { type BasisPoints, WHOLE } from '../../../platform/amounts/percent.ts';
import type { Candidate } from './candidates.ts';
import type { ShareTerms } from './terms.ts';

/**
 * What one sale, the first order of an eSIM or a refill, had of its data, and what of that was used. Data is used in the order in which
 * it was bought. A reading counts the eSIM as a whole, so its total is divided among the sales by their size; an eSIM without refills
 * has one sale, which has all of it.
 */
export function partOf(
  { amountMb, earlierMb, allMb }: Pick<Candidate, 'amountMb' | 'earlierMb' | 'allMb'>,
  reading: { readonly totalMb: number | null; readonly usedMb: number },
): { planMb: number; usedMb: number } {
  if (allMb === amountMb) return { planMb: reading.totalMb || amountMb, usedMb: reading.usedMb };
  const totalMb = reading.totalMb || allMb;
  const upTo = (mb: number) => Math.floor((totalMb * mb) / allMb);
  const from = upTo(earlierMb);
  const planMb = upTo(earlierMb + amountMb) - from;
  return { planMb, usedMb: Math.min(Math.max(0, reading.usedMb - from), planMb) };
}

export interface Consumption extends Pick<Candidate, 'listPrice' | 'salePrice' | 'cost'> {
  /** The provider-reported total when known, else the catalog amount. */
  readonly planMb: number;
  readonly usedMb: number;
}

type Rates = Pick<Candidate, 'sharePct'> & Pick<ShareTerms, 'totalShareCapPct'>;

export type Share = NonNullable<ReturnType<typeof shareOf>>;

/**
 * The share of one sale; undefined when there is none: plan size or cost unknown, or no data left unused. Only the amount itself
 * is rounded; unit cost and unused cost are rounded for display.
 */
export function shareOf(sale: Consumption, rates: Rates) {
  const unusedMb = sale.planMb - sale.usedMb;
  if (sale.planMb <= 0 || sale.cost <= 0n || unusedMb <= 0) return undefined;
  const plan = BigInt(sale.planMb);
  const unusedCost = sale.cost * BigInt(unusedMb);
  const agreed = toCents(divideHalfUp(unusedCost * rates.sharePct, plan * WHOLE * MICROS_PER_CENT));
  const room = roomUnderCap(sale, rates.totalShareCapPct);
  const capped = agreed > room;
  return {
    unusedMb,
    unitCost: toMicros(divideHalfUp(sale.cost, plan)),
    unusedCost: toMicros(divideHalfUp(unusedCost, plan)),
    amount: capped ? room : agreed,
    capped,
  };
}

/**
 * The part of a share that remains once `refunded` of the price was refunded: in proportion to what the partner still pays. Rounded
 * half up, so a full refund leaves exactly zero and no refund leaves the whole share.
 */
export function afterRefund(fullAmount: Cents, salePrice: Cents, refunded: Cents): Cents {
  if (refunded <= 0n || salePrice <= 0n) return fullAmount;
  return toCents(divideHalfUp(fullAmount * (salePrice - refunded), salePrice));
}

/** What the upfront discount left of the part of the margin that may leave the operator. Rounded down, so the cap holds. */
function roomUnderCap(sale: Consumption, capPct: BasisPoints): Cents {
  const margin = centsToMicros(sale.listPrice) - sale.cost;
  if (margin <= 0n) return ZERO;
  const discount = sale.listPrice - sale.salePrice;
  const room = (margin * capPct) / (WHOLE * MICROS_PER_CENT) - discount;
  return room > 0n ? toCents(room) : ZERO;
}
