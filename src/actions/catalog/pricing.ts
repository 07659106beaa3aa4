import {
  findRule,
  listRules,
  putRule,
  type Rule,
  readPricingSettings,
  removeRule,
  ruleInPlace,
  ruleScopes,
  writeCap,
  writeShareTiers,
} from '../../domains/catalog/prices/prices.ts';
import {
  type Exception,
  findTerms,
  formatMarkup,
  formatRetail,
  type RetailTerms,
  saveException,
  saveTerms,
} from '../../domains/catalog/retail/retail.ts';
import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { formatCents, formatMicros, toMicros } from '../../platform/amounts/cents.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import type { Actor } from '../actor.ts';
import { choice, integer, percent, required, text, usd } from '../fields.ts';
import { namedPartner, type Subject } from '../four-eyes.ts';
import { newRule, requirePercent, shownSettings, wantedTiers } from './price-questions.ts';

const readShown = async (tx: Queryable) => shownSettings(await readPricingSettings(tx));

const ruleWords = (rule: Pick<Rule, 'share_pct' | 'price'> | undefined): string =>
  rule === undefined ? 'none' : rule.price === null ? `${rule.share_pct} % of the margin` : `${rule.price} USD`;
const forPartner = async (context: OperatorContext, partnerId: number | null): Promise<string> =>
  partnerId === null ? 'every partner' : namedPartner(context, partnerId);

/** Prices have no amount: they are given with every sale. */
const settingsSubject = async (context: OperatorContext, words: string): Promise<Subject> => {
  const { total_share_cap_pct, window_days, tiers } = await readShown(context.db);
  const known = tiers.map(({ min_usd, pct }) => `${pct} % from ${min_usd} USD`).join(', ') || 'none';
  const terms = { cap: `${total_share_cap_pct} %`, tiers: `${known}, counted over ${window_days} days` };
  return { amounts: 'any', words, terms };
};

export const pricingActions = [
  action({
    name: 'pricing rule add',
    console: { may: 'money', fresh: true },
    summary: 'Set a price rule, replacing the one with the same partner, scope and target',
    options: {
      scope: required(choice(ruleScopes, 'what the rule applies to; the most specific rule wins')),
      target: required(text('TARGET', 'product id, supplier, country code or region slug')),
      partner: integer('PARTNER_ID', 'for this partner only; by default for all'),
      share: percent('share of the margin (all scopes but product)'),
      price: usd('fixed price (scope product)'),
    },
    run(context, input) {
      const rule = newRule(input);
      return change(context, 'pricing rule add', async (tx) => {
        if (input.partner !== undefined) await requireOpenPartner(tx, input.partner);
        const put = await putRule(tx, rule);
        if (!put) throw new Refused('target_not_found', `there is no ${input.scope} "${input.target}"`);
        const { before, after } = put;
        return { target: `rule ${after.rule_id}`, before, after, result: after };
      });
    },
    fourEyes: {
      async subject(context, { scope, target, partner: partnerId = null, ...input }) {
        newRule({ ...input, scope, target, partner: partnerId ?? undefined });
        const inPlace = await ruleInPlace(context.db, { partnerId, scope, target });
        if (!inPlace) throw new Refused('target_not_found', `there is no ${scope} "${target}"`);
        const value = input.price === undefined ? `${input.share} % of the margin` : `${formatCents(input.price)} USD`;
        return {
          amounts: 'any',
          partnerId: partnerId ?? undefined,
          words: `Set a price rule for ${await forPartner(context, partnerId)}: ${scope} ${target} at ${value}`,
          terms: { 'rule now': ruleWords(inPlace.rule) },
        };
      },
    },
  }),
  action({
    name: 'pricing rule list',
    console: 'shown',
    summary: 'List price rules; with --partner those that can apply to that partner',
    options: { partner: integer('PARTNER_ID', "that partner's rules and the general ones") },
    run: ({ db }, { partner }) => listRules(db, partner),
  }),
  action({
    name: 'pricing rule remove',
    console: { may: 'money', fresh: true },
    summary: 'Remove a price rule',
    args: { id: required(integer('RULE_ID', 'the rule')) },
    run: (context, { id }) =>
      change(context, 'pricing rule remove', async (tx) => {
        const before = await removeRule(tx, id);
        if (!before) throw new Refused('rule_not_found');
        return { target: `rule ${id}`, before, result: { rule_id: id, removed: true } };
      }),
    fourEyes: {
      async subject(context, { id }) {
        const rule = await findRule(context.db, id);
        if (!rule) throw new Refused('rule_not_found');
        return {
          amounts: 'any',
          partnerId: rule.partner_id ?? undefined,
          words: `Remove the price rule for ${await forPartner(context, rule.partner_id)}: ${rule.scope} ${rule.target} at ${ruleWords(rule)}`,
          terms: { 'rule now': ruleWords(rule) },
        };
      },
    },
  }),
  action({
    name: 'pricing show',
    console: 'shown',
    summary: 'Show the total cap and the share tiers',
    run: ({ db }) => readShown(db),
  }),
  action({
    name: 'pricing cap',
    console: { may: 'money', fresh: true },
    summary: 'Set the cap on the share of the margin that partners get, as discount and revenue share together',
    args: { pct: required(percent('the cap')) },
    run: (context, { pct }) =>
      amend(context, 'pricing cap', 'pricing', readShown, (tx) => writeCap(tx, requirePercent(pct))),
    fourEyes: {
      subject: (context, { pct }) => settingsSubject(context, `Set the cap on the share of the margin to ${pct} %`),
    },
  }),
  action({
    name: 'pricing tiers',
    console: { may: 'money', fresh: true },
    summary: 'Set the share tiers: which share of the margin a partner gets for its recent top-ups',
    options: {
      tiers: text('USD=PCT,…|none', 'increasing thresholds with their shares, e.g. 1000=10,5000=15'),
      'window-days': integer('DAYS', 'how many days a top-up counts toward a tier'),
    },
    run: (context, input) =>
      amend(context, 'pricing tiers', 'pricing', readShown, async (tx) => {
        const { shareTiers } = await readPricingSettings(tx);
        await writeShareTiers(tx, wantedTiers(shareTiers, input.tiers, input['window-days']));
      }),
    fourEyes: {
      async subject(context, { tiers, 'window-days': days }) {
        wantedTiers((await readPricingSettings(context.db)).shareTiers, tiers, days);
        const changed = [tiers !== undefined && tiers, days !== undefined && `counted over ${days} days`];
        return settingsSubject(context, `Set the share tiers: ${changed.filter(Boolean).join(', ') || 'as they are'}`);
      },
    },
  }),
];

export const termsView = ({ currency, rateMicros, markup, ending }: RetailTerms) => ({
  currency,
  rate: formatMicros(toMicros(rateMicros)).replace(/\.?0+$/, ''),
  markup: markup === null ? null : formatMarkup(markup),
  ending,
});

export const setRetailTerms = (actor: Actor, partnerId: number, terms: RetailTerms) =>
  amend(
    actor,
    'retail set',
    `partner ${partnerId}`,
    async (tx) => termsView(await findTerms(tx, partnerId)),
    async (tx) => {
      await requireOpenPartner(tx, partnerId);
      await saveTerms(tx, partnerId, terms);
    },
  );

/** The retail price of one plan, or the markup for one destination. A plan's price is in the current currency of the terms. */
export const setRetailException = (
  actor: Actor,
  partnerId: number,
  exceptionIn: (terms: RetailTerms) => Exception,
): Promise<Exception> =>
  change(actor, 'retail price set', async (tx) => {
    await requireOpenPartner(tx, partnerId);
    const exception = exceptionIn(await findTerms(tx, partnerId));
    await saveException(tx, partnerId, exception);
    return { target: `partner ${partnerId}`, after: exceptionView(exception), result: exception };
  });

export const exceptionView = (exception: Exception) =>
  exception.scope === 'plan'
    ? {
        plan: exception.target,
        retail_price: exception.price === null ? null : formatRetail(exception.price),
        currency: exception.currency,
      }
    : { destination: exception.target, markup: exception.markup === null ? null : formatMarkup(exception.markup) };
