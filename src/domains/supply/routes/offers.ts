import { type Cents, centsToMicros, type Micros, toMicros } from '../../../platform/amounts/cents.ts';
import { WHOLE } from '../../../platform/amounts/percent.ts';
import type { Plan } from '../../catalog/catalog.ts';

/** What an alternate may cost. At most one of the two is set; neither: the price paid. */
export interface CostLimits {
  readonly maxCost: Micros | null;
  /** Of the price paid, in hundredths of a percent. */
  readonly minMargin: bigint | null;
}

export const noLimits: CostLimits = { maxCost: null, minMargin: null };

/** The most an alternate may cost in a sale at this price. Rounded down, so the margin holds. */
export function highestCost({ maxCost, minMargin }: CostLimits, price: Cents): Micros {
  if (maxCost !== null) return maxCost;
  const paid = centsToMicros(price);
  return minMargin === null ? paid : toMicros((paid * (WHOLE - minMargin)) / WHOLE);
}

export const preferences = ['own', 'cheapest'] as const;
/** Who is tried first: the supplier of the plan that was sold, or the cheapest of all. */
export type Preference = (typeof preferences)[number];

/** How a plan is delivered when it is sold: by its own supplier or by alternates, in this order. */
export interface Route extends CostLimits {
  readonly alternates: readonly Plan[];
  readonly prefer: Preference;
}

export const withoutRoute: Route = { ...noLimits, prefer: 'own', alternates: [] };

/** A plan that may be delivered for a sale, as it is ordered from its supplier. */
export interface Offer {
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly amountMb: number;
  readonly day: number;
  /** Zero: unknown, which only the plan that was sold may be. */
  readonly cost: Micros;
}

/** What is left of our balance at a supplier; undefined: not known. */
export type BalanceOf = (supplier: string) => Micros | undefined;

export const offerOf = ({
  supplier,
  supplierPlan,
  amountMb,
  day,
  cost,
}: Pick<Plan, 'supplierPlan' | 'amountMb' | 'day' | 'cost'> & {
  readonly supplier: Pick<Plan['supplier'], 'slug'>;
}): Offer => ({
  supplier: supplier.slug,
  supplierPlan,
  amountMb,
  day,
  cost: cost ?? toMicros(0n),
});

/**
 * Who may deliver a sale, in the order in which they are tried. The plan's own supplier always may, whatever its cost. A supplier
 * where our balance does not cover the cost comes last, because the balance may have been topped up since.
 */
export function offersFor(plan: Plan, route: Route, price: Cents, balanceOf: BalanceOf): readonly Offer[] {
  const highest = highestCost(route, price);
  const allowed = route.alternates.filter(
    ({ onSale, refills, cost }) => onSale && refills === null && cost !== null && cost <= highest,
  );
  const all = [plan, ...allowed];
  const offers = (route.prefer === 'own' ? all : all.toSorted(byCost)).map(offerOf);
  const isShort = (offer: Offer) => !covers(balanceOf, offer);
  return [...offers.filter((offer) => !isShort(offer)), ...offers.filter(isShort)];
}

/** Whether our balance there, as far as it is known, covers the offer. */
export const covers = (balanceOf: BalanceOf, { supplier, cost }: Pick<Offer, 'supplier' | 'cost'>): boolean => {
  const balance = balanceOf(supplier);
  return balance === undefined || balance >= cost;
};

/** A cost that is not known compares as the highest. The sort is stable: at equal costs the plan's own supplier comes first. */
export const byCost = (a: Plan, b: Plan): number =>
  a.cost === b.cost ? 0 : a.cost === null ? 1 : b.cost === null ? -1 : a.cost < b.cost ? -1 : 1;
