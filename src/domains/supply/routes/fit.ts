import type { Plan } from '../../catalog/catalog.ts';
import { byCost } from './offers.ts';

/** What of a plan's refills is on sale. */
export type HasRefills = (plan: Plan) => boolean;

/** In what an alternate is worse than the plan that was sold. Empty: a traveller gets at least what was sold. */
export function shortcomings(plan: Plan, alternate: Plan, hasRefills: HasRefills): string[] {
  const covered = new Set(alternate.coverage.codes);
  const meta = plan.network.meta;
  const other = alternate.network.meta;
  const rules: readonly (readonly [isLess: boolean, what: string])[] = [
    [plan.coverage.codes.some((code) => !covered.has(code)), 'coverage'],
    [!alternate.isUnlimited && (plan.isUnlimited || alternate.amountMb < plan.amountMb), 'data'],
    [alternate.day < plan.day, 'days'],
    [!isAsGenerous(plan, alternate), 'fair use'],
    [(alternate.voice ?? 0) < (plan.voice ?? 0), 'voice'],
    [(alternate.text ?? 0) < (plan.text ?? 0), 'text messages'],
    [plan.networkType === '5G' && alternate.networkType !== '5G', 'network'],
    [other.is_kyc_verify && !meta.is_kyc_verify, 'identity check'],
    [(meta.rechargeability && !other.rechargeability) || (hasRefills(plan) && !hasRefills(alternate)), 'refills'],
    [alternate.cost === null, 'cost unknown'],
  ];
  return rules.filter(([isLess]) => isLess).map(([, what]) => what);
}

/** Fair use is compared among plans of one sort: a capped plan without any promises its whole amount at full speed. */
function isAsGenerous(plan: Plan, alternate: Plan): boolean {
  const [own, other] = [plan.fairUse, alternate.fairUse];
  if (other.kind === 'none' || (!plan.isUnlimited && alternate.isUnlimited)) return true;
  // A policy we could not parse is matched by the same words, or by anything if it has none.
  if (own.kind === 'unknown') return own.text === '' || own.text === other.text;
  return own.kind === other.kind && other.dailyMb >= own.dailyMb && other.speedKbps >= own.speedKbps;
}

/** Whether an alternate is suggested: of another supplier, at least as good, and not unlimited where the plan is capped. */
export const isSuggested = (plan: Plan, alternate: Plan, hasRefills: HasRefills): boolean =>
  alternate.supplier.id !== plan.supplier.id &&
  alternate.isUnlimited === plan.isUnlimited &&
  shortcomings(plan, alternate, hasRefills).length === 0;

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
