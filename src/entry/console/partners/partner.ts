import { partnerStatus } from '../../../actions/system/status-words.ts';
import { findPartner, type Partner } from '../../../domains/partners/accounts/accounts.ts';
import { limitsText } from '../../../domains/partners/limits/limits.ts';
import { notes } from '../../../domains/partners/notes/notes.ts';
import { formatCents, toCents } from '../../../platform/amounts/cents.ts';
import { idOf, iso } from '../../site/json/action.ts';
import { limitView } from '../../site/views/records.ts';
import { lastDays } from '../../site/views/span.ts';
import { type OperatorAction, type OperatorCall, operatorRead } from '../action.ts';
import { NOTES_SHOWN, notesView } from '../orders/note-view.ts';
import { walletView } from './partner-money.ts';
import { recentView } from './partners.ts';

/** One partner, open or closed: its terms and what it holds, owes and bought lately. */
export const partnerActions: readonly OperatorAction[] = [
  operatorRead('/operator/api/partners/{id}', async (call) => ({ partner: await view(call) })),
];

async function view(call: OperatorCall) {
  const { db, worlds } = call.context;
  const partner = await findPartner(db, idOf(call));
  const { partnerId, billingMode } = partner;
  const limits = partner.limits.map((limit) => ({ ...limit, scope: 'partner' as const }));
  const [{ balances }, [sold], playMoney, written, uses] = await Promise.all([
    worlds.live.books.history(partnerId, { limit: 0, start: 1 }),
    worlds.live.insight.soldTo([partnerId], lastDays(call.now)),
    worlds.sandbox.books.balance(partnerId),
    notes.ofPartner(db, partnerId, NOTES_SHOWN),
    worlds.live.checkout.limitUses({ partnerId, limits, at: new Date(call.now) }),
  ]);
  return {
    id: partnerId,
    name: partner.name,
    email: partner.email,
    status: statusOf(partner),
    /** Both are kept, whatever the status says: a disabled partner can be suspended, too. */
    suspended: partner.suspended,
    disabled: partner.disabled,
    /** Whether it may use live; one that signed up may once its application is approved. */
    is_live: partner.isLive,
    billing_mode: billingMode,
    billing_opened_at: iso(partner.billingOpenedAt),
    balance_alert: partner.balanceAlert === null ? null : formatCents(partner.balanceAlert),
    /** What it may spend, with what was used of it in live; and as it is typed: `day=500.00, hour=20x`. */
    limits: uses.map(limitView),
    limits_text: limitsText(partner.limits),
    margin_share_pct: partner.marginSharePct,
    revenue_share_pct: partner.revenueSharePct,
    created_at: iso(partner.createdAt),
    closed_at: iso(partner.deletedAt),
    wallet: walletView({ ...balances, billingMode, creditLimit: toCents(partner.creditLimit) }),
    sandbox_balance: formatCents(playMoney),
    recent: recentView(sold),
    notes: notesView(written, call),
  };
}

const statusOf = ({ deletedAt, disabled, suspended }: Partner) =>
  partnerStatus({ deleted_at: deletedAt, disabled, suspended });

export type PartnerView = Awaited<ReturnType<typeof view>>;
