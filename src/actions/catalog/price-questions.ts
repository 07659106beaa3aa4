import { type Plan, readOnePlan, readPlans } from '../../domains/catalog/catalog.ts';
import {
  type ChangeInput,
  checkPrice,
  type NewRule,
  type PricePreview,
  type PricingSettings,
  previewPrices,
  type RuleScope,
  readPricingSettings,
  ruleScopes,
  type ShareTier,
  type ShareTiers,
  storedTiers,
} from '../../domains/catalog/prices/prices.ts';
import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { type Cents, parseCents } from '../../platform/amounts/cents.ts';
import { formatPercent, parsePercent } from '../../platform/amounts/percent.ts';
import { DAY } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { Slices } from '../../platform/limits/turns.ts';
import { action, type OperatorContext } from '../action.ts';
import { choice, integer, invalid, percent, required, text, the, usd, type Values } from '../fields.ts';

/** The `percent` option has accepted the text, so this never throws in practice. */
export const requirePercent = (given: string) => {
  const read = parsePercent(given);
  if (read === undefined) throw invalid`"${given}" is not a percentage`;
  return read;
};

interface RuleInput {
  readonly partner: number | undefined;
  readonly scope: RuleScope;
  readonly target: string;
  readonly share: string | undefined;
  readonly price: Cents | undefined;
}

/** `--price` for a product, `--share` for everything else. */
export function newRule({ partner, scope, target, share, price }: RuleInput): NewRule {
  const of = { partnerId: partner, target };
  if (scope === 'product') {
    if (price === undefined || share !== undefined) throw invalid`a product rule needs ${the('price')}`;
    return { ...of, scope, price };
  }
  if (share === undefined || price !== undefined) throw invalid`a ${scope} rule needs ${the('share')}`;
  return { ...of, scope, share: requirePercent(share) };
}

/** What is not given stays as it is. */
export function wantedTiers(known: ShareTiers, tiers: string | undefined, windowDays = known.windowDays): ShareTiers {
  if (windowDays < 1 || windowDays > 3650) throw invalid`the window must be from 1 to 3650 days long`;
  return { windowDays, tiers: tiers === undefined ? known.tiers : requireTiers(tiers) };
}

/** `1000=10,5000=15` */
function requireTiers(given: string): ShareTier[] {
  if (given === 'none') return [];
  const read = given.split(',').map((pair) => {
    const [min, pct, ...rest] = pair.split('=');
    const tier = { min: parseCents(min ?? ''), share: parsePercent(pct ?? '') };
    if (tier.min === undefined || tier.min < 0n || tier.share === undefined || rest.length > 0)
      throw invalid`"${pair}" is not an amount and a percentage, like 1000=10`;
    return { min: tier.min, share: tier.share };
  });
  const isRising = read.every((tier, i) => i === 0 || tier.min > (read[i - 1] as ShareTier).min);
  if (!isRising) throw invalid`the thresholds must increase`;
  return read;
}

export const shownSettings = ({ cap, shareTiers }: PricingSettings) => ({
  total_share_cap_pct: formatPercent(cap),
  ...storedTiers(shareTiers),
});

export const previewOptions = {
  scope: choice(ruleScopes, 'the scope of a rule to set'),
  target: text('TARGET', 'its target: product id, supplier, country code or region slug'),
  partner: integer('PARTNER_ID', 'for this partner only; by default for all'),
  share: percent('share of the margin (all scopes but product)'),
  price: usd('fixed price (scope product)'),
  remove: integer('RULE_ID', 'a rule to try without'),
  cap: percent('a cap to try'),
  tiers: text('USD=PCT,…|none', 'share tiers to try'),
  'window-days': integer('DAYS', 'a number of days to try, in which top-ups count toward a tier'),
};
type PreviewInput = Values<typeof previewOptions>;

/** Exactly one of: a rule to set, a rule to remove, settings. */
async function changeInput({ db }: Pick<OperatorContext, 'db'>, input: PreviewInput): Promise<ChangeInput> {
  const { scope, target, remove, cap, tiers, 'window-days': windowDays } = input;
  const isRule = scope !== undefined || target !== undefined;
  const isSettings = cap !== undefined || tiers !== undefined || windowDays !== undefined;
  if (Number(isRule) + Number(remove !== undefined) + Number(isSettings) !== 1)
    throw invalid`give a rule (${the('scope')}, ${the('target')}, ${the('share')} or ${the('price')}), ${the('remove')}, or ${the('cap')} and ${the('tiers')}`;
  if (remove !== undefined) return { remove };
  if (isRule) {
    if (scope === undefined || target === undefined) throw invalid`a rule needs ${the('scope')} and ${the('target')}`;
    return { set: newRule({ ...input, scope, target }) };
  }
  const known = await readPricingSettings(db);
  return {
    settings: {
      cap: cap === undefined ? known.cap : requirePercent(cap),
      shareTiers: wantedTiers(known.shareTiers, tiers, windowDays),
    },
  };
}

/** The sales that a preview shows the effect on: those of today and the days before. */
const EFFECT_DAYS = 30;

export async function preview(
  context: Pick<OperatorContext, 'db' | 'clock' | 'worlds'>,
  input: PreviewInput,
  plans: () => Promise<readonly Plan[]> | readonly Plan[],
  slices: Slices,
): Promise<PricePreview> {
  const wanted = await changeInput(context, input);
  if (input.partner !== undefined) await findPartner(context.db, input.partner);
  const now = context.clock.now();
  const tomorrow = new Date(now - (now % DAY) + DAY);
  const days = { from: new Date(tomorrow.getTime() - EFFECT_DAYS * DAY), to: tomorrow };
  const sold = await context.worlds.live.insight.soldOfPlans(days);
  const found = await previewPrices(context.db, await plans(), wanted, { now, slices, sold });
  if (found) return found;
  if (input.remove !== undefined) throw new Refused('rule_not_found');
  throw new Refused('target_not_found', `there is no ${input.scope} "${input.target}"`);
}

export async function check(
  { db, clock }: Pick<OperatorContext, 'db' | 'clock'>,
  { partner: partnerId, product }: { readonly partner: number; readonly product: string },
) {
  const partner = await findPartner(db, partnerId);
  const plan = await readOnePlan(db, product);
  if (!plan) throw new Refused('product_not_found');
  return {
    partner_id: partnerId,
    partner_name: partner.name,
    product_id: plan.alias,
    title: plan.title,
    supplier: plan.supplier.slug,
    destination: plan.destination.code,
    ...(await checkPrice(db, partnerId, plan, clock.now())),
  };
}

export const priceQuestions = [
  action({
    name: 'pricing preview',
    console: 'shown',
    summary:
      'Show which prices a rule, a cap or tiers would change, for which partners and plans, without changing anything',
    options: previewOptions,
    run: (context, input) => preview(context, input, () => readPlans(context.db), new Slices()),
  }),
  action({
    name: 'pricing check',
    console: 'shown',
    summary: 'Show what a partner pays for a product: which rule sets the price, and why the others do not',
    options: {
      partner: required(integer('PARTNER_ID', 'the partner')),
      product: required(text('PRODUCT_ID', 'the product, esc_…')),
    },
    run: (context, input) => check(context, input),
  }),
];
