import { type Cents, divideHalfUp, MICROS_PER_CENT, type Micros, toCents } from '../../../platform/amounts/cents.ts';
import { WHOLE } from '../../../platform/amounts/percent.ts';
import { HIGHEST_PRICE } from '../import-format/import-format.ts';

/** The terms on which a plan is sold. */
export interface PlanTerms {
  readonly listPrice: Cents;
  /** Null: unknown. */
  readonly cost: Micros | null;
  readonly onSale: boolean;
}

/** Terms as they are stored: while its supplier is off, a plan that would be on sale is held back. */
export interface StoredTerms extends PlanTerms {
  readonly isHeldBack: boolean;
}

/** The terms of a plan that exists, and which of them an operator has set by hand. */
export interface KnownTerms extends StoredTerms {
  readonly priceByHand: boolean;
  readonly costByHand: boolean;
  readonly onSaleByHand: boolean;
}

/**
 * What an import makes of a plan's terms: as the import has them, except for those set by hand. With a markup the list price
 * follows the cost instead. While the supplier is off, nothing goes on sale.
 */
export function termsAfterImport(
  imported: PlanTerms,
  known: KnownTerms | undefined,
  { markup, isOff }: { readonly markup: Markup | null; readonly isOff: boolean },
): StoredTerms {
  const cost = known?.costByHand ? known.cost : imported.cost;
  const isSold = known?.onSaleByHand ? known.onSale || known.isHeldBack : imported.onSale;
  return {
    listPrice: known?.priceByHand ? known.listPrice : (markedUp(cost, markup) ?? imported.listPrice),
    cost,
    onSale: isSold && !isOff,
    isHeldBack: isSold && isOff,
  };
}

/** In hundredths of a percent. It may be more than the whole, which a share may not. */
export type Markup = bigint;

/** Cost and markup, rounded once, half up, to cents. Undefined without a markup or a cost to follow. */
function markedUp(cost: Micros | null, markup: Markup | null): Cents | undefined {
  if (markup === null || cost === null || cost === 0n) return undefined;
  const price = toCents(divideHalfUp(cost * (WHOLE + markup), WHOLE * MICROS_PER_CENT));
  if (price > HIGHEST_PRICE) return HIGHEST_PRICE;
  return price;
}
