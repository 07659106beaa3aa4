import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { type BasisPoints, formatPercent } from '../../../platform/amounts/percent.ts';
import type { Plan } from '../catalog.ts';
import { capped, discountShare, isAllowedPrice, sharedPrice } from './formula.ts';

/** Most specific first: the first scope that has a rule decides. */
export const ruleScopes = ['product', 'provider', 'country', 'region'] as const;
export type RuleScope = (typeof ruleScopes)[number];

export type PriceSource = RuleScope | 'account_default' | 'none';

/** The rules of one partner, or the general ones, by target. */
export interface RuleSet {
  readonly product: ReadonlyMap<string, Cents>;
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
  readonly discount: Cents;
  /** Share of the margin that became discount, two places. */
  readonly marginSharePct: string;
  readonly source: PriceSource;
}

/** The one function that prices a plan, for the catalog and for purchases. */
export function priceOf(plan: Plan, terms: Terms): PartnerPrice {
  const { price, source } = settledPrice(plan, terms);
  const discount = toCents(plan.listPrice - price);
  return { partnerPrice: price, discount, marginSharePct: formatPercent(discountShare(plan, discount)), source };
}

/** The price alone, for comparing very many. */
export function settledPrice(plan: Plan, terms: Terms): { readonly price: Cents; readonly source: PriceSource } {
  const fixed = fixedPrice(plan, terms);
  if (fixed !== undefined) return { price: fixed, source: 'product' };
  const { share, source } = shareRule(plan, terms) ?? terms.account;
  return { price: sharedPrice(plan, capped(share, terms.cap)), source };
}

/** Whether terms with the same rules give the same price for every plan: neither the account's share nor what the caps allow differs. */
export function isSamePrices(before: Terms, after: Terms): boolean {
  if (before.own !== after.own || before.general !== after.general) return false;
  if (before.account.share !== after.account.share) return false;
  if (before.cap === after.cap) return true;
  const lower = capped(before.cap, after.cap);
  return [before.own, before.general].every(
    ({ product, provider, country, region }) =>
      product.size === 0 &&
      [provider, country, region].every((shares) => [...shares.values()].every((share) => share <= lower)),
  );
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
