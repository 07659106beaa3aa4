import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Plan } from '../catalog.ts';
import type { GeneralTerms } from './partner-prices.ts';
import { type ReadRules, withRule } from './read.ts';
import { findRule, findRuleFor, type NewRule, type Rule, storedValue, targetOf } from './rule-store.ts';
import { type RuleScope, shareTargets } from './rules.ts';
import type { PricingSettings } from './settings.ts';

/** A proposed change: a rule to set, the id of one to remove, or settings. */
export type ChangeInput =
  | { readonly set: NewRule }
  | { readonly remove: number }
  | { readonly settings: Partial<PricingSettings> };

/** The same with everything looked up. */
export interface PlannedChange {
  /** The rule that is there now. */
  readonly rule: Rule | undefined;
  readonly general: GeneralTerms;
  ownRules(partnerId: number, own: ReadRules): ReadRules;
  concerns(plan: Plan): boolean;
  readonly fixed: { readonly alias: string; readonly price: Cents } | undefined;
}

/** Undefined: there is no such target or rule. */
export async function planChange(
  db: Queryable,
  wanted: ChangeInput,
  general: GeneralTerms,
): Promise<PlannedChange | undefined> {
  if ('settings' in wanted)
    return {
      rule: undefined,
      general: { ...general, ...wanted.settings },
      ownRules: (_partnerId, own) => own,
      concerns: () => true,
      fixed: undefined,
    };
  if ('remove' in wanted) {
    const rule = await findRule(db, wanted.remove);
    return rule && withOneRule(general, rule, rule, undefined);
  }
  const { scope, partnerId = null } = wanted.set;
  const target = await targetOf(db, scope, wanted.set.target);
  if (target === undefined) return undefined;
  const { price, share } = storedValue(wanted.set);
  return withOneRule(
    general,
    { partner_id: partnerId, scope, target },
    await findRuleFor(db, { partnerId, scope, target }),
    { sharePct: share, priceCents: price === null ? null : String(price) },
  );
}

function withOneRule(
  general: GeneralTerms,
  { partner_id, scope, target }: Pick<Rule, 'partner_id' | 'scope' | 'target'>,
  rule: Rule | undefined,
  value: Parameters<typeof withRule>[2],
): PlannedChange {
  const changed = (rules: ReadRules) => withRule(rules, [scope, target], value);
  const fixed = value?.priceCents ? { alias: target, price: toCents(BigInt(value.priceCents)) } : undefined;
  return {
    rule,
    general: partner_id === null ? { ...general, rules: changed(general.rules) } : general,
    ownRules: (partnerId, own) => (partnerId === partner_id ? changed(own) : own),
    concerns: (plan) => targetFor(plan, scope) === target,
    fixed,
  };
}

const targetFor = (plan: Plan, scope: RuleScope): string | undefined =>
  scope === 'product' ? plan.alias : shareTargets(plan).find(([name]) => name === scope)?.[1];
