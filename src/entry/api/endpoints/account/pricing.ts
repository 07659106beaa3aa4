import type { PartnerPrices } from '../../../../domains/catalog/prices/prices.ts';
import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { percentToNumber } from '../../../../platform/amounts/percent.ts';
import { named, nullable, said, vocabulary } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

const Tier = named('ShareTier', 'The tier that the top-ups of the last days have reached.', {
  window_days: said.integer('How many days of top-ups count.'),
  topup_usd: said.number('What was topped up within these days, in USD.'),
  current_pct: said.number('The share of the tier reached, in percent; 0 if none is.'),
  next_min_usd: nullable(said.number('The top-ups the next tier needs, in USD; null on the highest.', 5000)),
  next_pct: nullable(said.number('The share of the next tier, in percent; null on the highest.', 15)),
});

const Pricing = named('Pricing', 'How your prices come about.', {
  margin_share_pct: said.number('The part of the margin that becomes your discount, in percent, after tier and cap.'),
  margin_share_source: vocabulary('What decides that share.', {
    default: 'The share every account starts with.',
    tier: 'The tier that your top-ups have reached.',
    account: 'A share agreed for your account. Tiers do not apply.',
  }),
  tier: Type.Optional(Tier),
  total_share_cap_pct: said.number(
    'The largest part of the margin of one product that can go to you, discount and revenue share together.',
  ),
  active_rule_count: said.integer('How many price rules apply to you.'),
  average_discount_pct: nullable(
    said.number('Measured over the catalog; 0 is no discount, null could not be measured.'),
  ),
  is_average: said.boolean('Whether an average could be measured.'),
  sample_size: said.integer('How many plans were measured.'),
  sample_scope: said.text('Which plans were measured.'),
  currency: Type.Literal('USD', { description: 'The currency of all amounts.' }),
});

export const pricing = endpoint({
  path: '/account/pricing',
  verb: 'GET',
  tier: 'read',
  summary: 'The margin share that applies now, the tier behind it, and the average discount it gives',
  about: 'The discount is measured, not promised: the price of a plan is what the catalog or a quote says.',
  reply: Type.Object({ pricing: Pricing }),
  async handle({ pricing: door, partnerId }) {
    const prices = await door.of(partnerId);
    const average = await door.averageDiscount(prices);
    return {
      body: {
        pricing: {
          margin_share_pct: percentToNumber(prices.share.share),
          margin_share_source: prices.share.source,
          ...(prices.tier && { tier: tierBlock(prices.tier) }),
          total_share_cap_pct: percentToNumber(prices.cap),
          active_rule_count: prices.ruleCount,
          average_discount_pct: average.pct,
          is_average: average.pct !== null,
          sample_size: average.sampleSize,
          sample_scope: 'catalog',
          currency: 'USD',
        },
      },
    };
  },
});

function tierBlock({ windowDays, toppedUp, current, next }: NonNullable<PartnerPrices['tier']>) {
  return {
    window_days: windowDays,
    topup_usd: centsToNumber(toppedUp),
    current_pct: current ? percentToNumber(current.share) : 0,
    next_min_usd: next ? centsToNumber(next.min) : null,
    next_pct: next ? percentToNumber(next.share) : null,
  };
}
