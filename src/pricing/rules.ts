import type { Plan } from '../catalog/catalog.ts';
import { type Cents, toCents } from '../money/money.ts';
import { type BasisPoints, capped, discountShare, formatPercent, isAllowedPrice, sharedPrice } from './formula.ts';

/** Most specific first: the first scope that has a rule decides. */
export const ruleScopes = ['product', 'provider', 'country', 'region'] as const;
export type RuleScope = (typeof ruleScopes)[number];

/** Which rule set a price. */
export type PriceSource = RuleScope | 'account_default' | 'none';

/** The rules of one partner, or the general ones, by target. */
export interface RuleSet {
  /** Fixed prices by product alias. */
  readonly product: ReadonlyMap<string, Cents>;
  /** Shares by supplier slug, country code and region slug. */
  readonly provider: ReadonlyMap<string, BasisPoints>;
  readonly country: ReadonlyMap<string, BasisPoints>;
  readonly region: ReadonlyMap<string, BasisPoints>;
}

export interface Terms {
  /** The partner's own rules. Within a scope they win over the general ones. */
  readonly own: RuleSet;
  readonly general: RuleSet;
  readonly account: { readonly share: BasisPoints; readonly source: 'account_default' | 'none' };
  readonly cap: BasisPoints;
}

export interface PartnerPrice {
  /** What the wallet is charged. Zero or below: the sale is refused. */
  readonly partnerPrice: Cents;
  /** List price minus partner price. */
  readonly discount: Cents;
  /** Share of the margin that became discount, two places. */
  readonly marginSharePct: string;
  readonly source: PriceSource;
}

/** The one function that prices a plan, for the catalog and for purchases. */
export function priceOf(plan: Plan, terms: Terms): PartnerPrice {
  const fixed = fixedPrice(plan, terms);
  if (fixed !== undefined) return priced(plan, fixed, 'product');
  const { share, source } = shareRule(plan, terms) ?? terms.account;
  return priced(plan, sharedPrice(plan, capped(share, terms.cap)), source);
}

/** Fixed prices outside what the cap allows are ignored, the partner's own as well as the general ones. */
function fixedPrice(plan: Plan, { own, general, cap }: Terms): Cents | undefined {
  const allowed = (price: Cents | undefined) =>
    price !== undefined && isAllowedPrice(plan, price, cap) ? price : undefined;
  return allowed(own.product.get(plan.alias)) ?? allowed(general.product.get(plan.alias));
}

function shareRule(plan: Plan, { own, general }: Terms): { share: BasisPoints; source: RuleScope } | undefined {
  for (const [source, target] of shareTargets(plan)) {
    const share = own[source].get(target) ?? general[source].get(target);
    if (share !== undefined) return { share, source };
  }
  return undefined;
}

/** What a rule for a share has to name to apply to the plan, most specific first. */
export const shareTargets = ({ supplier, destination }: Plan) =>
  [
    ['provider', supplier.slug],
    ['country', destination.scope === 'country' ? destination.code : ''],
    ['region', destination.region],
  ] as const;

function priced(plan: Plan, partnerPrice: Cents, source: PriceSource): PartnerPrice {
  const discount = toCents(plan.listPrice - partnerPrice);
  return { partnerPrice, discount, marginSharePct: formatPercent(discountShare(plan, discount)), source };
}
