import { type ShareRow, shareFilters } from '../../../../domains/billing/revenue-share/revenue-share.ts';
import { formatCents, formatMicros } from '../../../../platform/amounts/cents.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { described, named, nullable, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { oneOfOrIgnored } from '../../../../platform/contract/fields.ts';
import { plainly } from '../../../../platform/contract/json.ts';
import { type Static, Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { moreAfterReached, paging, reachedStart, reachedView } from './paging.ts';

const Decimal = (description: string) => Type.String({ pattern: '^\\d+\\.\\d{2}$', description });
const SixPlaces = (description: string) => Type.String({ pattern: '^\\d+\\.\\d{6}$', description });

const Item = named('RevenueShare', 'Your share of the cost of the data that one sale left unused.', {
  id: said.integer('The number of the share.'),
  sale_id: said.integer('The order it was earned with; the same as `order_id`.'),
  order_id: said.integer('The order it was earned with.'),
  iccid: said.text('The eSIM of the order.'),
  product_title: said.text('The plan that was sold.'),
  plan_mb: said.integer('The data of the plan, in MB.'),
  used_mb: said.integer('What was used of it, in MB.'),
  unused_mb: said.integer('What was left, in MB.'),
  unit_cost: SixPlaces('The cost of one MB, in USD, six decimals.'),
  unused_cost: SixPlaces('The cost of the unused data, in USD, six decimals.'),
  share_pct: said.text('Your rate in percent, as it was when the share was calculated.'),
  amount: Decimal('Your share, in USD, two decimals.'),
  channel: vocabulary('Where the money went.', {
    '': 'Nowhere yet.',
    wallet: 'Into the wallet.',
    debt: 'It lowered the debt.',
    split: 'It paid off the debt; the rest went into the wallet.',
    none: 'The share rounds to zero.',
  }),
  settle_debt: Decimal('The part that lowered the debt, in USD.'),
  settle_wallet: Decimal('The part that went into the wallet, in USD.'),
  status: vocabulary('Whether the money has moved.', {
    shadow: 'Calculated; no money has moved.',
    settled: 'Settled: `channel` says where the money went.',
  }),
  capped: Type.Enum([0, 1], { description: '1: the cap on the total share reduced the amount.' }),
  date: utcTime('When it was calculated.'),
  settled_at: nullable(utcTime('When the money moved; null: not yet.')),
});

export const profitshare = endpoint({
  path: '/account/profitshare',
  verb: 'GET',
  tier: 'read',
  summary: 'Revenue share on unused data, newest first',
  about:
    'A share is calculated after an eSIM has expired and a few days more have passed. It is never paid out: it lowers your debt or goes into the wallet. If your account earns none, the list is empty and `profit_share_enabled` is 0.',
  fields: {
    ...paging,
    status: described('Only shares in this state. Any other value is ignored.', oneOfOrIgnored(shareFilters), {
      meanings: {
        shadow: 'Calculated; no money has moved.',
        settled: 'The money has moved, or there was none to move.',
        none: 'Shares that round to zero.',
      },
    }),
  },
  reply: Type.Object({
    profit_share_enabled: Type.Enum([0, 1], { description: 'Whether your account earns a revenue share.' }),
    items: Type.Array(Item, { description: 'The shares, newest first.' }),
    count: said.integer('How many are on this page.'),
    total_share: Decimal('Your shares on all pages together, in USD, two decimals.'),
    total_unused_mb: said.integer('The unused data on all pages together, in MB.'),
    currency: Type.Literal('USD', { description: 'The currency of all amounts.' }),
    start: reachedStart,
    has_more: moreAfterReached,
  }),
  async handle({ world, partnerId }, { limit, start, status }) {
    const shares = await world.books.shares(partnerId, { limit, start }, status);
    return {
      body: {
        profit_share_enabled: shares.enabled ? 1 : 0,
        items: shares.rows.map(item),
        count: shares.rows.length,
        total_share: formatCents(shares.totalShare),
        total_unused_mb: Number(shares.totalUnusedMb),
        currency: 'USD',
        ...reachedView(shares.reached),
      },
    };
  },
});

const item = (share: ShareRow): Static<typeof Item> => ({
  id: Number(share.id),
  sale_id: Number(share.orderId),
  ...plainly(share, 'orderId', 'iccid', 'productTitle', 'planMb', 'usedMb', 'unusedMb'),
  unit_cost: formatMicros(share.unitCost),
  unused_cost: formatMicros(share.unusedCost),
  share_pct: share.sharePct,
  amount: formatCents(share.amount),
  channel: share.channel,
  settle_debt: formatCents(share.settleDebt),
  settle_wallet: formatCents(share.settleWallet),
  status: share.status,
  capped: share.capped ? 1 : 0,
  date: timestamp(share.createdAt),
  settled_at: timestamp(share.settledAt),
});
