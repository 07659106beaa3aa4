import {
  openRevenueShare,
  type PreviewedPartner,
  type SettledShare,
} from '../../../domains/billing/revenue-share/revenue-share.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { SECOND } from '../../../platform/clock.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorAction, operatorAction } from '../action.ts';

const PER_PAGE = 50;
/** Suppliers are asked for readings no faster than they allow; a person does not wait longer than this. */
const PREVIEW_LIMIT_MS = 20 * SECOND;

/** The revenue share: what a settlement would pay now, and what was paid. */
export const settlementActions = ({ worlds: { live } }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/money/settlement',
    may: 'see',
    async handle(call) {
      const place = filtersFrom(call, 'ignored').place();
      const [terms, totals, shares] = await Promise.all([
        live.shares.terms(),
        live.shares.totals(),
        live.shares.settled({ before: place && { settledAt: place.at, id: place.id }, limit: PER_PAGE + 1 }),
      ]);
      const listed = shares.slice(0, PER_PAGE);
      const last = listed.at(-1);
      return {
        body: {
          grace_days: terms.graceDays,
          paid: formatCents(totals.paid),
          waiting: formatCents(totals.waiting),
          settled: listed.map(settledView),
          next: shares.length > PER_PAGE && last ? `${last.settledAt.getTime()}-${last.id}` : null,
        } satisfies SettlementView,
      };
    },
  }),
  operatorAction({
    verb: 'GET',
    path: '/operator/api/money/settlement/preview',
    // It asks suppliers, as a settlement does.
    may: 'money',
    async handle({ now }) {
      const preview = await openRevenueShare(live).preview(now, AbortSignal.timeout(PREVIEW_LIMIT_MS));
      return {
        body: {
          made_at: iso(new Date(now)),
          looked: preview.looked,
          is_whole: preview.isWhole,
          partners: preview.partners.map(previewView),
        } satisfies PreviewView,
      };
    },
  }),
];

const settledView = (share: SettledShare) => ({
  id: String(share.id),
  partner: { id: share.partnerId, name: share.partnerName },
  order_id: String(share.orderId),
  unused_mb: share.unusedMb,
  share_pct: share.sharePct,
  amount: formatCents(share.amount),
  to_debt: formatCents(share.settleDebt),
  to_wallet: formatCents(share.settleWallet),
  settled_at: iso(share.settledAt),
});

const previewView = (one: PreviewedPartner) => ({
  partner: { id: one.partnerId, name: one.name },
  shares: one.shares,
  amount: formatCents(one.amount),
  to_debt: formatCents(one.toDebt),
  to_wallet: formatCents(one.toWallet),
  outstanding_after: formatCents(one.outstandingAfter),
  balance_after: formatCents(one.balanceAfter),
});

export type SettledView = ReturnType<typeof settledView>;
export interface SettlementView {
  readonly grace_days: number;
  readonly paid: string;
  readonly waiting: string;
  readonly settled: readonly SettledView[];
  readonly next: string | null;
}
export type PreviewedView = ReturnType<typeof previewView>;
export interface PreviewView {
  readonly made_at: string;
  readonly looked: number;
  readonly is_whole: boolean;
  readonly partners: readonly PreviewedView[];
}
