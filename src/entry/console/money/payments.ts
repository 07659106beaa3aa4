import { inUsd } from '../../../actions/action.ts';
import { shownTopup } from '../../../actions/money/topup.ts';
import {
  openRevenueShare,
  type PreviewedPartner,
  type SettledShare,
} from '../../../domains/billing/revenue-share/revenue-share.ts';
import type { Topup } from '../../../domains/billing/topups/topups.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { SECOND } from '../../../platform/clock.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorAction, operatorRead } from '../action.ts';

const PER_PAGE = 50;
const kinds = ['open', 'failed', 'disputed'] as const;

/** Card payments, newest first. */
export const paymentActions = [operatorRead('/operator/api/money/payments', payments)];

async function payments(call: OperatorCall) {
  const { topups } = call.context.worlds.live;
  const only = filtersFrom(call, 'invalid_input').oneOf('only', kinds);
  const filters = filtersFrom(call, 'ignored');
  const [before, limit] = [filters.id('before'), filters.limit(PER_PAGE)];
  const found = await topups.list({ only, before, limit: limit + 1 });
  const names = await partnerNames(
    call.context.db,
    found.map(({ partnerId }) => partnerId),
  );
  return {
    /** Undefined: card payments are off. */
    provider: topups.offer.provider ?? null,
    payments: found.slice(0, limit).map((topup) => paymentView(topup, names.get(topup.partnerId) ?? '')),
    has_more: found.length > limit,
  };
}

const paymentView = (topup: Topup, partnerName: string) => ({
  ...shownTopup(topup),
  partner_name: partnerName,
  id: String(topup.id),
  created_at: iso(topup.createdAt),
});

/** Suppliers are asked for readings no faster than they allow; a person does not wait longer than this. */
const PREVIEW_LIMIT_MS = 20 * SECOND;

/** Revenue share: what was paid, and what a settlement would pay now. */
export const settlementActions = [
  operatorRead('/operator/api/money/settlement', settlement),
  operatorAction({
    verb: 'GET',
    path: '/operator/api/money/settlement/preview',
    // It asks suppliers, as a settlement does.
    may: 'money',
    handle: async (call) => ({ body: await preview(call) }),
  }),
];

async function settlement(call: OperatorCall) {
  const { shares } = call.context.worlds.live;
  const filters = filtersFrom(call, 'ignored');
  const [place, limit] = [filters.place(), filters.limit(PER_PAGE)];
  const [terms, totals, settled] = await Promise.all([
    shares.terms(),
    shares.totals(),
    shares.settled({ before: place && { settledAt: place.at, id: place.id }, limit: limit + 1 }),
  ]);
  const listed = settled.slice(0, limit);
  const last = listed.at(-1);
  return {
    grace_days: terms.graceDays,
    ...inUsd(totals, 'paid', 'waiting'),
    settled: listed.map(settledView),
    next: settled.length > limit && last ? `${last.settledAt.getTime()}-${last.id}` : null,
  };
}

async function preview({ now, context: { worlds } }: OperatorCall) {
  const found = await openRevenueShare(worlds.live).preview(now, AbortSignal.timeout(PREVIEW_LIMIT_MS));
  return {
    made_at: iso(new Date(now)),
    looked: found.looked,
    is_whole: found.isWhole,
    partners: found.partners.map(previewView),
  };
}

const settledView = (share: SettledShare) => ({
  id: String(share.id),
  partner: { id: share.partnerId, name: share.partnerName },
  ...jsonOf(share, 'orderId', 'unusedMb', 'sharePct'),
  amount: formatCents(share.amount),
  to_debt: formatCents(share.settleDebt),
  to_wallet: formatCents(share.settleWallet),
  settled_at: iso(share.settledAt),
});

const previewView = (one: PreviewedPartner) => ({
  partner: { id: one.partnerId, name: one.name },
  shares: one.shares,
  ...inUsd(one, 'amount', 'toDebt', 'toWallet', 'outstandingAfter', 'balanceAfter'),
});
