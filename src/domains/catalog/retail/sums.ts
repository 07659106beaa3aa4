import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { inDollars, type RetailAmount, revenueOf, type Sold, unitCost } from './formula.ts';
import type { RetailPrices } from './prices.ts';

export interface SoldPlan extends Sold {
  readonly plan: string;
  readonly destination: string;
}

export interface RetailSums {
  /** In the currency the partner sells in. */
  readonly revenue: RetailAmount;
  readonly margin: Cents;
  /** Spent on plans that have no retail price; no part of the margin. */
  readonly unpriced: Cents;
}

/** The revenue of purchased plans at today's retail prices. Each row is rounded once, so parts add up to their total. */
export function retailSums(retail: RetailPrices, sold: readonly SoldPlan[]): RetailSums {
  let [revenue, margin, unpriced] = [0n, 0n, 0n];
  for (const row of sold) {
    const spent = row.charged - row.returned;
    const priced = retail.of({ plan: row.plan, destination: row.destination, cost: unitCost(row) });
    if (!priced) {
      unpriced += spent;
      continue;
    }
    const brought = revenueOf(row, priced.price);
    revenue += brought;
    margin += inDollars(brought, retail.terms) - spent;
  }
  return { revenue: revenue as RetailAmount, margin: toCents(margin), unpriced: toCents(unpriced) };
}
