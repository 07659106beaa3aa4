import { type BillingDetails, missingDetails, readBillingDetails } from '../../../domains/billing/invoices/invoices.ts';
import type { FailedTopup } from '../../../domains/billing/topups/topups.ts';
import { type StoppedSubscription, webhookLimits } from '../../../domains/messages/webhooks/webhooks.ts';
import type { SpendingPower } from '../../../domains/money/books/books.ts';
import { memberRoles } from '../../../domains/partners/people/people.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf, requireMode } from '../../site/json/action.ts';
import { type Fields, fields, type MemberCall, memberRead } from '../member-action.ts';

/** A failed top-up is old news after this long. */
const FAILED_TOPUP_MS = 7 * DAY;

export const NOTICES_VIEWED = {
  suspended: true,
  is_overdue: true,
  credit_used: true,
  balance_low: fields('available', 'level', 'is_credit'),
  missing_billing_details: true,
  failed_topup: fields('payment_key', 'amount', 'failed_at'),
  webhooks: fields('id', 'url', 'is_disabled', 'next_try_at', 'held', 'more'),
} satisfies Fields;

/** What needs a partner's attention in one world. Nothing is stored for it: a notice is there as long as its cause is. */
export const noticeActions = (base: Base) => [
  memberRead('/api/{mode}/notices', {
    may: 'see',
    viewed: NOTICES_VIEWED,
    read: async (call) => await noticesOf(base, call),
  }),
];

export async function noticesOf({ db, worlds, config }: Base, call: MemberCall) {
  const mode = requireMode(call);
  const { books, webhooks, topups } = worlds[mode];
  const { member, now } = call;
  const { partnerId, role } = member;
  const seesMoney = memberRoles.may(role, 'see-money');
  const isInvoiced = mode === 'live' && seesMoney && config.invoicing.seller !== undefined;
  const [power, stopped, failed, details] = await Promise.all([
    books.spendingPower(partnerId),
    webhooks.stopped(partnerId),
    topups.lastFailed(partnerId, new Date(now - FAILED_TOPUP_MS)),
    isInvoiced ? readBillingDetails(db, partnerId) : undefined,
  ]);
  return view(power, stopped, failed, details, seesMoney);
}

function view(
  { billingMode, isSuspended, isOnlyOverdue, available, alertLevel: level }: SpendingPower,
  stopped: readonly StoppedSubscription[],
  failed: FailedTopup | undefined,
  details: BillingDetails | undefined,
  seesMoney: boolean,
) {
  const isOnCredit = billingMode === 'postpaid';
  const isCreditUsed = isOnCredit && available <= 0n;
  const isLow = level !== null && available < level && !isCreditUsed;
  return {
    suspended: isSuspended,
    /** Only because invoices are overdue. */
    is_overdue: isOnlyOverdue,
    credit_used: isCreditUsed,
    balance_low:
      isLow && seesMoney
        ? { available: formatCents(available), level: formatCents(level), is_credit: isOnCredit }
        : null,
    failed_topup:
      failed && seesMoney
        ? { payment_key: failed.paymentKey, amount: formatCents(failed.amount), failed_at: iso(failed.failedAt) }
        : null,
    /** What invoices need and nobody has given. */
    missing_billing_details: details ? missingDetails(details) : [],
    /** Disabled ones, and paused ones that hold events back. */
    webhooks: stopped
      .filter(({ status, held }) => status === 3 || held > 0)
      .map((one) => ({
        /** `next_try_at`: when a disabled one is tried next. Null: it is not, or no longer. */
        ...jsonOf(one, 'id', 'url', 'nextTryAt', 'held'),
        is_disabled: one.status === 3,
        /** There may be more than were counted. */
        more: one.held === webhookLimits.counted,
      })),
  };
}
