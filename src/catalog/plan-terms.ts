import type { Cents, Micros } from '../money/money.ts';

/** On which terms a plan is sold. */
export interface PlanTerms {
  readonly listPrice: Cents;
  /** Null: unknown. */
  readonly cost: Micros | null;
  readonly onSale: boolean;
}

/** The terms of a plan that exists, and which of them an operator has set by hand. */
export interface KnownTerms extends PlanTerms {
  readonly priceByHand: boolean;
  readonly costByHand: boolean;
  readonly onSaleByHand: boolean;
}

/** What an import makes of a plan's terms: as the import has them, except for those set by hand. */
export function termsAfterImport(imported: PlanTerms, known: KnownTerms | undefined): PlanTerms {
  return {
    listPrice: known?.priceByHand ? known.listPrice : imported.listPrice,
    cost: known?.costByHand ? known.cost : imported.cost,
    onSale: known?.onSaleByHand ? known.onSale : imported.onSale,
  };
}
