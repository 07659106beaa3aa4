import { type Static, Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { oneOfOrIgnored } from '../../contract/fields.ts';
import { formatCents, formatMicros } from '../../money/money.ts';
import { type ShareRow, shareFilters } from '../../revenue-share/revenue-share.ts';
import { endpoint } from '../endpoint.ts';
import { paging } from './paging.ts';

const Decimal = Type.String({ pattern: '^\\d+\\.\\d{2}$' });
const SixPlaces = Type.String({ pattern: '^\\d+\\.\\d{6}$' });

const Item = Type.Object({
  id: Type.Integer(),
  sale_id: Type.Integer(),
  order_id: Type.Integer(),
  iccid: Type.String(),
  product_title: Type.String(),
  plan_mb: Type.Integer(),
  used_mb: Type.Integer(),
  unused_mb: Type.Integer(),
  unit_cost: SixPlaces,
  unused_cost: SixPlaces,
  share_pct: Type.String({ description: 'The rate applied, frozen at calculation' }),
  amount: Decimal,
  channel: Type.Enum(['', 'wallet', 'debt', 'split', 'none']),
  settle_debt: Decimal,
  settle_wallet: Decimal,
  status: Type.Enum(['shadow', 'settled']),
  capped: Type.Enum([0, 1]),
  date: Type.String(),
  settled_at: Type.Union([Type.String(), Type.Null()]),
});

export const profitshare = endpoint({
  path: '/account/profitshare',
  verb: 'GET',
  tier: 'read',
  summary: 'Revenue share on unused data, newest first',
  fields: {
    ...paging,
    status: oneOfOrIgnored(shareFilters),
  },
  errors: [],
  simulated: [],
  reply: Type.Object({
    profit_share_enabled: Type.Enum([0, 1]),
    items: Type.Array(Item),
    count: Type.Integer(),
    total_share: Decimal,
    total_unused_mb: Type.Integer(),
    currency: Type.Literal('USD'),
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
      },
    };
  },
});

const item = (share: ShareRow): Static<typeof Item> => ({
  id: Number(share.id),
  sale_id: Number(share.orderId),
  order_id: Number(share.orderId),
  iccid: share.iccid,
  product_title: share.productTitle,
  plan_mb: share.planMb,
  used_mb: share.usedMb,
  unused_mb: share.unusedMb,
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
