import { type Catalog, type Destination, hasWords, type Plan } from '../../../domains/catalog/catalog.ts';
import type { PartnerPrices } from '../../../domains/catalog/prices/prices.ts';
import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Slices } from '../../../platform/limits/turns.ts';

/** What can be sorted by; ties go by the plan's age, so that pages do not overlap. */
export const sortings = {
  price: (plan: Plan, prices: PartnerPrices) => Number(prices.priceOf(plan).partnerPrice),
  list_price: (plan: Plan) => Number(plan.listPrice),
  /** Unlimited is the most. */
  data: (plan: Plan) => (plan.isUnlimited ? Number.MAX_SAFE_INTEGER : plan.amountMb),
  days: (plan: Plan) => plan.day,
} as const;

export interface DestinationSum {
  readonly destination: Destination;
  plans: number;
  refills: number;
  /** The partner's lowest price of an eSIM. */
  from: Cents | undefined;
}

/** Every plan on sale: eSIMs, then refills. */
export function allPlans(catalog: Catalog): readonly Plan[] {
  const { listed } = catalog;
  const codes = new Set([
    ...listed.map(({ destination }) => destination.code),
    ...catalog.countries.map(({ code }) => code),
  ]);
  return [...listed, ...[...codes].flatMap((code) => catalog.refillsFor(code))];
}

/** A destination's own plans and refills, or the plans of regions and of the world that cover it. */
export const plansOf = (catalog: Catalog, destination: Destination, reach: 'own' | 'wider'): readonly Plan[] =>
  reach === 'own'
    ? [...catalog.plansOf(destination, undefined), ...catalog.refillsFor(destination.code)]
    : (['regional', 'global'] as const)
        .filter((scope) => scope !== destination.scope)
        .flatMap((scope) => catalog.plansOf(destination, scope));

interface PlanFilter {
  readonly search: string;
  readonly kind: '' | 'esim' | 'refill';
  readonly sort: keyof typeof sortings;
}

/** Those that contain every word of the search, in slices: a catalog may have 50,000 plans. */
export async function matchingPlans(
  plans: readonly Plan[],
  prices: PartnerPrices,
  { search, kind, sort }: PlanFilter,
  slices: Slices,
): Promise<Plan[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found: { plan: Plan; by: number }[] = [];
  await slices.turn();
  for (const plan of plans) {
    if (slices.isOver()) await slices.turn();
    if (kind !== '' && (kind === 'refill') !== (plan.refills !== null)) continue;
    if (words.length > 0 && !hasWords.plan(plan, words)) continue;
    found.push({ plan, by: sortings[sort](plan, prices) });
  }
  return found.sort((a, b) => a.by - b.by || a.plan.id - b.plan.id).map(({ plan }) => plan);
}

export async function destinationSums(
  catalog: Catalog,
  prices: PartnerPrices,
  slices: Slices,
): Promise<DestinationSum[]> {
  const sums = new Map<string, DestinationSum>();
  await slices.turn();
  for (const plan of allPlans(catalog)) {
    if (slices.isOver()) await slices.turn();
    const { destination } = plan;
    const sum = sums.get(destination.code) ?? { destination, plans: 0, refills: 0, from: undefined };
    sums.set(destination.code, sum);
    if (plan.refills !== null) {
      sum.refills += 1;
      continue;
    }
    sum.plans += 1;
    const { partnerPrice } = prices.priceOf(plan);
    if (sum.from === undefined || partnerPrice < sum.from) sum.from = partnerPrice;
  }
  return [...sums.values()].sort((a, b) => english.compare(a.destination.title, b.destination.title));
}

const english = new Intl.Collator('en');
