import { formatCents, formatMicros, toMicros } from '../../../platform/amounts/cents.ts';
import { formatPercent, parsePercent } from '../../../platform/amounts/percent.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { isSellable, type Plan } from '../catalog.ts';
import { isAllowedPrice, lowestFixedPrice, margin } from './formula.ts';
import { type GeneralTerms, partnerTerms, readGeneralTerms, windowStart } from './partner-prices.ts';
import { type PartnerRow, readPartner } from './read.ts';
import { listRulesFor, type Rule } from './rule-store.ts';
import { type PriceSource, priceOf, ruleScopes, shareTargets, type Terms } from './rules.ts';

interface Candidate {
  /** Null: the share of the account. */
  readonly rule_id: number | null;
  readonly scope: PriceSource;
  readonly target: string;
  readonly is_own: boolean;
  readonly share_pct: string | null;
  readonly price: string | null;
  readonly won: boolean;
  readonly why: string;
}

/** Why a partner, which exists, pays what it pays for a plan. Reads everything from the database, so a rule set a moment ago is there. */
export async function checkPrice(db: Queryable, partnerId: number, plan: Plan, now: number) {
  const general = await readGeneralTerms(db);
  const row = await readPartner(db, partnerId, windowStart(general, now));
  const rules = await listRulesFor(db, partnerId, [['product', plan.alias], ...shareTargets(plan)]);
  const { terms, share, progress } = partnerTerms(row, general);
  const price = priceOf(plan, terms);
  const inOrder = rules.toSorted(
    (a, b) =>
      ruleScopes.indexOf(a.scope) - ruleScopes.indexOf(b.scope) ||
      Number(a.partner_id === null) - Number(b.partner_id === null),
  );
  const winner = inOrder.find((rule) => rule.scope === price.source && isUsable(plan, rule, terms));
  const account: Candidate = {
    rule_id: null,
    scope: terms.account.source,
    target: '',
    is_own: share.source === 'account',
    share_pct: formatPercent(share.share),
    price: null,
    won: winner === undefined,
    why: winner
      ? `A ${winner.scope} rule comes first.`
      : accountWhy(row, general, progress.current !== undefined, plan),
  };
  return {
    list_price: formatCents(plan.listPrice),
    cost: plan.cost === null ? null : formatMicros(plan.cost),
    /** What is earned at list price; zero if the cost is unknown or above it. */
    margin: formatMicros(toMicros(margin(plan))),
    price: formatCents(price.partnerPrice),
    discount: formatCents(price.discount),
    /** The share of the margin that the discount amounts to. */
    margin_share_pct: price.marginSharePct,
    source: price.source,
    on_sale: isSellable(plan),
    cap_pct: formatPercent(general.cap),
    lowest_fixed_price: formatCents(lowestFixedPrice(plan, general.cap)),
    /** In the order in which they are tried: the first that applies sets the price. */
    candidates: [
      ...inOrder.map((rule): Candidate => {
        const { rule_id, scope, target, share_pct, price: fixed } = rule;
        const won = rule === winner;
        const why = won ? wonWhy(plan, rule, terms) : lostWhy(plan, rule, terms, winner);
        return { rule_id, scope, target, is_own: rule.partner_id !== null, share_pct, price: fixed, won, why };
      }),
      account,
    ],
  };
}

const fixedOf = (rule: Rule, { own, general }: Terms) =>
  (rule.partner_id === null ? general : own).product.get(rule.target);

function isUsable(plan: Plan, rule: Rule, terms: Terms): boolean {
  if (rule.scope !== 'product') return true;
  const fixed = fixedOf(rule, terms);
  return fixed !== undefined && isAllowedPrice(plan, fixed, terms.cap);
}

const noMargin = (plan: Plan): string =>
  plan.cost === null
    ? ' The cost is unknown, so there is no margin to share and the list price applies.'
    : ' The plan costs as much as its list price or more, so there is no margin to share.';

function wonWhy(plan: Plan, { scope, share_pct }: Rule, { cap }: Terms): string {
  if (scope === 'product') return 'The most specific rule: a fixed price for this plan, within what the cap allows.';
  const share = parsePercent(share_pct ?? '');
  const isCapped = share !== undefined && share > cap;
  const first = `The first rule that applies.${isCapped ? ` Its ${share_pct}% is cut to the cap of ${formatPercent(cap)}%.` : ''}`;
  return margin(plan) > 0n ? first : first + noMargin(plan);
}

function lostWhy(plan: Plan, rule: Rule, terms: Terms, winner: Rule | undefined): string {
  if (!isUsable(plan, rule, terms)) {
    const fixed = fixedOf(rule, terms);
    if (fixed !== undefined && fixed > plan.listPrice)
      return `Ignored: it is above the list price of ${formatCents(plan.listPrice)} USD.`;
    return `Ignored: it is below ${formatCents(lowestFixedPrice(plan, terms.cap))} USD, the lowest price that the cap of ${formatPercent(terms.cap)}% allows.`;
  }
  if (winner?.scope === rule.scope) return `The partner’s own ${rule.scope} rule comes first.`;
  return `A ${winner?.scope} rule comes first.`;
}

function accountWhy(
  { custom, toppedUp }: PartnerRow,
  { cap, shareTiers: { windowDays, tiers } }: GeneralTerms,
  hasTier: boolean,
  plan: Plan,
): string {
  const sum = `top-ups of ${formatCents(toppedUp)} USD in ${windowDays} ${windowDays === 1 ? 'day' : 'days'}`;
  const isCapped = custom !== undefined && custom > cap;
  const reason =
    custom !== undefined
      ? `No rule applies, so the share set for this partner does.${isCapped ? ` Its ${formatPercent(custom)}% is cut to the cap of ${formatPercent(cap)}%.` : ''}`
      : hasTier
        ? `No rule applies, so the tier does: ${sum}.`
        : tiers.length > 0
          ? `No rule applies, and ${sum} do not reach the first tier.`
          : 'No rule applies, and there are no tiers.';
  return margin(plan) > 0n ? reason : reason + noMargin(plan);
}
