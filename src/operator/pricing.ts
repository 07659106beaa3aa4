import { findPartner } from '../accounts/accounts.ts';
import { audit } from '../actions/audit-log.ts';
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

/** The text was read by the `percent` option, which takes nothing else. */
const share = (given: string) => {
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
  return { scope: input.scope, share: share(input.share) };
}

const settings = ({ cap, shareTiers }: PricingSettings) => ({
  total_share_cap_pct: formatPercent(cap),
  ...storedTiers(shareTiers),
});

/** `1000=10,5000=15` */
function tiers(given: string): ShareTier[] {
  if (given === 'none') return [];
  const read = given.split(',').map((pair) => {
    const [min, pct, ...rest] = pair.split('=');
    const tier = { min: parseCents(min ?? ''), share: parsePercent(pct ?? '') };
    if (tier.min === undefined || tier.min < 0n || tier.share === undefined || rest.length > 0)
      throw new UsageError(`"${pair}" is not USD=PCT`);
    return { min: tier.min, share: tier.share };
  });
  const isRising = read.every((tier, i) => i === 0 || tier.min > (read[i - 1] as ShareTier).min);
  if (!isRising) throw new UsageError('the tiers must rise');
  return read;
}

export const pricingCommands = [
  command({
    path: ['pricing', 'rule', 'add'],
    summary: 'Set a price rule; one for the same partner, scope and target is replaced',
    options: {
      scope: required(choice(ruleScopes, 'what the rule is about, from the most specific')),
      target: required(text('TARGET', 'product id, supplier, country code or region slug')),
      partner: integer('PARTNER_ID', 'for one partner; without it for all'),
      share: percent('share of the margin'),
      price: usd('fixed price of a product'),
    },
    async run({ db, who }, input) {
      const rule = { partnerId: input.partner, target: input.target, ...newRule(input) };
      return db.tx(async (tx) => {
        if (input.partner !== undefined) await findPartner(tx, input.partner);
        const put = await putRule(tx, rule);
        if (!put) throw new Refused('target_not_found', `there is no ${input.scope} "${input.target}"`);
        const { before, after } = put;
        await audit(tx, { who, what: 'pricing rule add', target: `rule ${after.rule_id}`, before, after });
        return after;
      });
    },
  }),
  command({
    path: ['pricing', 'rule', 'list'],
    summary: 'Price rules; with --partner those that can apply to one partner',
    options: { partner: integer('PARTNER_ID', "that partner's rules and the general ones") },
    run: ({ db }, { partner }) => listRules(db, partner),
  }),
  command({
    path: ['pricing', 'rule', 'remove'],
    summary: 'Take a price rule away',
    args: { id: required(integer('RULE_ID', 'the rule')) },
    async run({ db, who }, { id }) {
      return db.tx(async (tx) => {
        const before = await removeRule(tx, id);
        if (!before) throw new Refused('rule_not_found');
        await audit(tx, { who, what: 'pricing rule remove', target: `rule ${id}`, before });
        return { rule_id: id, removed: true };
      });
    },
  }),
  command({
    path: ['pricing', 'show'],
    summary: 'The total cap and the share tiers',
    run: async ({ db }) => settings(await readPricingSettings(db)),
  }),
  command({
    path: ['pricing', 'cap'],
    summary: 'The largest share of a margin that may leave, discount and unused-data share together',
    args: { pct: required(percent('the cap')) },
    async run({ db, who }, { pct }) {
      return db.tx(async (tx) => {
        const before = settings(await readPricingSettings(tx));
        await writeCap(tx, share(pct));
        const after = settings(await readPricingSettings(tx));
        await audit(tx, { who, what: 'pricing cap', target: 'pricing', before, after });
        return after;
      });
    },
  }),
  command({
    path: ['pricing', 'tiers'],
    summary: 'The share tiers: what top-ups inside the window earn',
    options: {
      tiers: text('USD=PCT,…|none', 'rising thresholds with their shares'),
      'window-days': integer('DAYS', 'how long a top-up counts'),
    },
    async run({ db, who }, input) {
      return db.tx(async (tx) => {
        const known = await readPricingSettings(tx);
        const wanted: ShareTiers = {
          windowDays: input['window-days'] ?? known.shareTiers.windowDays,
          tiers: input.tiers === undefined ? known.shareTiers.tiers : tiers(input.tiers),
        };
        if (wanted.windowDays < 1 || wanted.windowDays > 3650) throw new UsageError('DAYS is from 1 to 3650');
        await writeShareTiers(tx, wanted);
        const after = { ...known, shareTiers: wanted };
        await audit(tx, {
          who,
          what: 'pricing tiers',
          target: 'pricing',
          before: settings(known),
          after: settings(after),
        });
        return settings(after);
      });
    },
  }),
];
