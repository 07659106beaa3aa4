import { Type } from 'typebox';
import { centsToNumber } from '../../money/money.ts';
import { type PartnerPrices, percentToNumber } from '../../pricing/pricing.ts';
import { endpoint } from '../endpoint.ts';

const number = Type.Number();
const numberOrNull = Type.Union([Type.Number(), Type.Null()]);

export const pricing = endpoint({
  path: '/account/pricing',
  verb: 'GET',
  tier: 'read',
  summary: 'The margin share that applies now, the tier behind it, and the average discount it gives',
  fields: {},
  errors: [],
  simulated: [],
  reply: Type.Object({
    pricing: Type.Object({
      margin_share_pct: number,
      margin_share_source: Type.Enum(['default', 'tier', 'account']),
      tier: Type.Optional(
        Type.Object({
          window_days: Type.Integer(),
          topup_usd: number,
          current_pct: number,
          next_min_usd: numberOrNull,
          next_pct: numberOrNull,
        }),
      ),
      total_share_cap_pct: number,
      active_rule_count: Type.Integer(),
      average_discount_pct: numberOrNull,
      is_average: Type.Boolean(),
      sample_size: Type.Integer(),
      sample_scope: Type.String(),
      currency: Type.Literal('USD'),
    }),
  }),
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
