import type { Cents } from '../../../platform/amounts/cents.ts';
import { type Markup, type RetailAmount, type RetailCurrency, retailPrice } from './formula.ts';

export interface RetailTerms extends RetailCurrency {
  /** For everything without a price or markup of its own; null: none. */
  readonly markup: Markup | null;
}

interface Exceptions {
  /** By destination code. */
  readonly markups: ReadonlyMap<string, Markup>;
  /** By plan, in the currency of the terms. */
  readonly prices: ReadonlyMap<string, RetailAmount>;
  /** Prices that were typed in another currency, and do not apply. */
  readonly idlePrices: number;
}

interface PricedPlan {
  readonly price: RetailAmount;
  /** What decided it, the most specific first. */
  readonly by: 'plan' | 'destination' | 'markup';
}

interface Bought {
  readonly plan: string;
  readonly destination: string;
  readonly cost: Cents;
}

export class RetailPrices {
  readonly terms: RetailTerms;
  readonly exceptions: Exceptions;

  constructor(terms: RetailTerms, exceptions: Exceptions) {
    this.terms = terms;
    this.exceptions = exceptions;
  }

  /** Nothing was set, so nothing has a retail price. */
  get isEmpty(): boolean {
    const { markups, prices } = this.exceptions;
    return this.terms.markup === null && markups.size === 0 && prices.size === 0;
  }

  /** The price typed for the plan, else the destination's markup, else the general one; undefined: none of them. */
  of({ plan, destination, cost }: Bought): PricedPlan | undefined {
    const { markups, prices } = this.exceptions;
    const typed = prices.get(plan);
    if (typed !== undefined) return { price: typed, by: 'plan' };
    const own = markups.get(destination);
    if (own !== undefined) return { price: retailPrice(cost, own, this.terms), by: 'destination' };
    const { markup } = this.terms;
    return markup === null ? undefined : { price: retailPrice(cost, markup, this.terms), by: 'markup' };
  }
}
