import {
  type Cents,
  centsToMicros,
  divideHalfUp,
  MICROS_PER_CENT,
  type Micros,
  toCents,
  toMicros,
  ZERO,
} from '../../../platform/amounts/cents.ts';
import { type BasisPoints, WHOLE } from '../../../platform/amounts/percent.ts';

export interface Consumption {
  readonly listPrice: Cents;
  readonly salePrice: Cents;
  readonly cost: Micros;
  /** The provider-reported total when known, else the catalog amount. */
  readonly planMb: number;
  readonly usedMb: number;
}

interface Rates {
  readonly sharePct: BasisPoints;
  readonly totalShareCapPct: BasisPoints;
}

export interface Share {
  readonly unusedMb: number;
  readonly unitCost: Micros;
  readonly unusedCost: Micros;
  readonly amount: Cents;
  readonly capped: boolean;
}

/** One sale among those that filled an eSIM: the first order and its refills. */
interface Fill {
  readonly amountMb: number;
  readonly earlierMb: number;
  readonly allMb: number;
}

/**
 * What one sale had of an eSIM's data, and what of that was used. Data is used in the order in which it was bought. A reading
 * counts the eSIM as a whole, so its total is divided among the sales by their size; an eSIM without refills has one sale, which
 * has all of it.
 */
export function partOf(
  { amountMb, earlierMb, allMb }: Fill,
  reading: { readonly totalMb: number | null; readonly usedMb: number },
): { planMb: number; usedMb: number } {
  if (allMb === amountMb) return { planMb: reading.totalMb || amountMb, usedMb: reading.usedMb };
  const totalMb = reading.totalMb || allMb;
  const upTo = (mb: number) => Math.floor((totalMb * mb) / allMb);
  const from = upTo(earlierMb);
  const planMb = upTo(earlierMb + amountMb) - from;
  return { planMb, usedMb: Math.min(Math.max(0, reading.usedMb - from), planMb) };
}

/**
 * The share of one sale; undefined when there is none: plan size or cost unknown, or no data left unused. Only the amount itself
 * is rounded; unit cost and unused cost are rounded for display.
 */
export function shareOf(sale: Consumption, rates: Rates): Share | undefined {
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
