import { requireOpenPartner } from '../accounts/accounts.ts';
import { amend, change } from '../audit-log.ts';
import type { Tx } from '../db/database.ts';
import { type Cents, parseCents } from '../money/money.ts';
import {
  formatPercent,
  listRules,
  type PricingSettings,
  parsePercent,
  putRule,
  type RuleScope,
  readPricingSettings,
  removeRule,
  ruleScopes,
  type ShareTier,
  type ShareTiers,
  storedTiers,
  writeCap,
  writeShareTiers,
} from '../pricing/pricing.ts';
import { Refused } from '../refused.ts';
import { command } from './command.ts';
import { choice, integer, percent, required, text, UsageError, usd } from './options.ts';

/** The `percent` option has accepted the text, so this never throws in practice. */
const requirePercent = (given: string) => {
  const read = parsePercent(given);
  if (read === undefined) throw new UsageError(`"${given}" is not a percentage`);
  return read;
};

/** `--price` for a product, `--share` for everything else. */
function newRule(input: { scope: RuleScope; share: string | undefined; price: Cents | undefined }) {
  if (input.scope === 'product') {
    if (input.price === undefined || input.share !== undefined) throw new UsageError('a product rule needs --price');
    return { scope: input.scope, price: input.price };
  }
  if (input.share === undefined || input.price !== undefined)
    throw new UsageError(`a ${input.scope} rule needs --share`);
  return { scope: input.scope, share: requirePercent(input.share) };
}

const shown = ({ cap, shareTiers }: PricingSettings) => ({
  total_share_cap_pct: formatPercent(cap),
  ...storedTiers(shareTiers),
});
const shownSettings = async (tx: Tx) => shown(await readPricingSettings(tx));

/** `1000=10,5000=15` */
function requireTiers(given: string): ShareTier[] {
  if (given === 'none') return [];
  const read = given.split(',').map((pair) => {
    const [min, pct, ...rest] = pair.split('=');
    const tier = { min: parseCents(min ?? ''), share: parsePercent(pct ?? '') };
    if (tier.min === undefined || tier.min < 0n || tier.share === undefined || rest.length > 0)
      throw new UsageError(`"${pair}" is not USD=PCT`);
    return { min: tier.min, share: tier.share };
  });
  const isRising = read.every((tier, i) => i === 0 || tier.min > (read[i - 1] as ShareTier).min);
  if (!isRising) throw new UsageError('the thresholds must increase');
  return read;
}

export const pricingCommands = [
  command({
    path: ['pricing', 'rule', 'add'],
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
      const rule = { partnerId: input.partner, target: input.target, ...newRule(input) };
      return change(context, 'pricing rule add', async (tx) => {
        if (input.partner !== undefined) await requireOpenPartner(tx, input.partner);
        const put = await putRule(tx, rule);
        if (!put) throw new Refused('target_not_found', `there is no ${input.scope} "${input.target}"`);
        const { before, after } = put;
        return { target: `rule ${after.rule_id}`, before, after, result: after };
      });
    },
  }),
  command({
    path: ['pricing', 'rule', 'list'],
    console: 'shown',
    summary: 'List price rules; with --partner those that can apply to that partner',
    options: { partner: integer('PARTNER_ID', "that partner's rules and the general ones") },
    run: ({ db }, { partner }) => listRules(db, partner),
  }),
  command({
    path: ['pricing', 'rule', 'remove'],
    console: { may: 'money', fresh: true },
    summary: 'Remove a price rule',
    args: { id: required(integer('RULE_ID', 'the rule')) },
    run: (context, { id }) =>
      change(context, 'pricing rule remove', async (tx) => {
        const before = await removeRule(tx, id);
        if (!before) throw new Refused('rule_not_found');
        return { target: `rule ${id}`, before, result: { rule_id: id, removed: true } };
      }),
  }),
  command({
    path: ['pricing', 'show'],
    console: 'shown',
    summary: 'Show the total cap and the share tiers',
    run: async ({ db }) => shown(await readPricingSettings(db)),
  }),
  command({
    path: ['pricing', 'cap'],
    console: { may: 'money', fresh: true },
    summary: 'Set the cap on the share of a margin given away, discount and unused-data share together',
    args: { pct: required(percent('the cap')) },
    run: (context, { pct }) =>
      amend(context, 'pricing cap', 'pricing', shownSettings, (tx) => writeCap(tx, requirePercent(pct))),
  }),
  command({
    path: ['pricing', 'tiers'],
    console: { may: 'money', fresh: true },
    summary: 'Set the share tiers: which share of the margin the top-ups of the last days earn',
    options: {
      tiers: text('USD=PCT,…|none', 'increasing thresholds with their shares, e.g. 1000=10,5000=15'),
      'window-days': integer('DAYS', 'how many days a top-up counts'),
    },
    run: (context, input) =>
      amend(context, 'pricing tiers', 'pricing', shownSettings, async (tx) => {
        const known = await readPricingSettings(tx);
        const wanted: ShareTiers = {
          windowDays: input['window-days'] ?? known.shareTiers.windowDays,
          tiers: input.tiers === undefined ? known.shareTiers.tiers : requireTiers(input.tiers),
        };
        if (wanted.windowDays < 1 || wanted.windowDays > 3650) throw new UsageError('DAYS must be from 1 to 3650');
        await writeShareTiers(tx, wanted);
      }),
  }),
];
