import type { Plan } from '../../catalog/catalog.ts';
import { type HasRefills, isSuggested } from './fit.ts';
import { byCost } from './offers.ts';

/** Suggestions per plan: more are never tried in one purchase. */
const MOST = 20;

/** Plans that may be suggested for others, so that a plan is compared only with those that cover its first country. */
export interface Candidates {
  of(plan: Plan): readonly Plan[];
}

/** `plans`: those on sale. Refills are no alternates. */
export function candidatesAmong(plans: readonly Plan[], hasRefills: HasRefills): Candidates {
  const byCountry = new Map<string, Plan[]>();
  for (const plan of plans)
    for (const code of plan.coverage.codes) {
      const list = byCountry.get(code);
      if (list) list.push(plan);
      else byCountry.set(code, [plan]);
    }
  return {
    of: (plan) => suggestedFor(plan, byCountry.get(plan.coverage.codes[0] ?? '') ?? [], hasRefills),
  };
}

/** What is suggested for one plan, cheapest first. */
export const suggestedFor = (plan: Plan, among: readonly Plan[], hasRefills: HasRefills): Plan[] =>
  among
    .filter((other) => isSuggested(plan, other, hasRefills))
    .toSorted((a, b) => byCost(a, b) || a.id - b.id)
    .slice(0, MOST);

/** Which plans have refills on sale, by supplier and its code of the plan. */
export function refillsAmong(plans: readonly Plan[]): HasRefills {
  const refilled = new Set(
    plans.flatMap(({ supplier, refills, onSale }) =>
      refills && onSale ? refills.map((code) => `${supplier.slug}/${code}`) : [],
    ),
  );
  return ({ supplier, supplierPlan }) => refilled.has(`${supplier.slug}/${supplierPlan}`);
}
