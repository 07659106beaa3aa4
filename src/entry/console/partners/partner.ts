import { shownBillingDetails } from '../../../actions/money/invoice.ts';
import { partnerStatus } from '../../../actions/system/status-words.ts';
import { missingDetails, readBillingDetails } from '../../../domains/billing/invoices/invoices.ts';
import { contractEvents, eventNames } from '../../../domains/messages/events/events.ts';
import { webhookLimits } from '../../../domains/messages/webhooks/webhooks.ts';
import { findPartner, type Partner } from '../../../domains/partners/accounts/accounts.ts';
import { type ApiKey, latestKeys } from '../../../domains/partners/keys/keys.ts';
import { limitsText } from '../../../domains/partners/limits/limits.ts';
import { notes } from '../../../domains/partners/notes/notes.ts';
import { members, partnerViews } from '../../../domains/partners/people/people.ts';
import { formatCents, toCents } from '../../../platform/amounts/cents.ts';
import { change } from '../../../platform/audit/audit-log.ts';
import { SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Base } from '../../../worlds/base.ts';
import { showClock } from '../../../worlds/sandbox/test-clock.ts';
import { idOf, iso, jsonOf, requireMode } from '../../site/json/action.ts';
import { memberCookie } from '../../site/json/browser.ts';
import { clockView, eventsView, keyViews, limitView, memberView, subscriptionView } from '../../site/views/records.ts';
import { lastDays } from '../../site/views/span.ts';
import { type OperatorCall, operatorChange, operatorRead } from '../action.ts';
import { NOTES_SHOWN, notesView } from '../orders/order-view.ts';
import { recentView, walletView } from './partners.ts';

/** One partner, open or closed: its terms and what it holds, owes and bought lately. */
export const partnerActions = [
  operatorRead('/operator/api/partners/{id}', async (call) => ({ partner: await view(call) })),
];

async function view(call: OperatorCall) {
  const { db, worlds } = call.context;
  const partner = await findPartner(db, idOf(call));
  const { partnerId, billingMode } = partner;
  const limits = partner.limits.map((limit) => ({ ...limit, scope: 'partner' as const }));
  const [{ balances }, [sold], playMoney, written, uses, details, power] = await Promise.all([
    worlds.live.books.history(partnerId, { limit: 0, start: 1 }),
    worlds.live.insight.soldTo([partnerId], lastDays(call.now)),
    worlds.sandbox.books.balance(partnerId),
    notes.ofPartner(db, partnerId, NOTES_SHOWN),
    worlds.live.checkout.limitUses({ partnerId, limits, at: new Date(call.now) }),
    readBillingDetails(db, partnerId),
    worlds.live.books.spendingPower(partnerId),
  ]);
  return {
    id: partnerId,
    ...jsonOf(partner, 'name', 'email'),
    status: statusOf(partner),
    /** Both are kept, whatever the status says: a disabled partner can be suspended, too. */
    ...jsonOf(partner, 'suspended', 'disabled'),
    /** Purchases are refused because invoices are overdue, and for nothing else. */
    is_overdue: power.isOnlyOverdue,
    /** Whether it may use live; one that signed up may once its application is approved. */
    is_live: partner.isLive,
    billing_mode: billingMode,
    billing_opened_at: iso(partner.billingOpenedAt),
    balance_alert: partner.balanceAlert === null ? null : formatCents(partner.balanceAlert),
    /** What it may spend, with what was used of it in live; and as it is typed: `day=500.00, hour=20x`. */
    limits: uses.map(limitView),
    limits_text: limitsText(partner.limits),
    /** What replacements may cost per month before an operator decides. */
    replacement_budget: formatCents(partner.replacementBudget),
    /** Whom its invoices are made out to, and what is missing of it. */
    billing: shownBillingDetails(details),
    billing_missing: missingDetails(details),
    ...jsonOf(partner, 'marginSharePct', 'revenueSharePct', 'createdAt'),
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

/** Of so many dead letters of a partner we say which subscription they are of. */
const MOST_DEAD = 500;

/** Where a partner's events go, in both worlds. Secrets are shown by their last four characters only. */
export const partnerWebhookActions = [
  operatorRead('/operator/api/partners/{id}/subscriptions', subscriptionsOf),
  operatorRead('/operator/api/webhook-events/{mode}', async (call) =>
    eventsView(call.context.worlds[requireMode(call)].webhooks.events(call.now)),
  ),
];

async function subscriptionsOf(call: OperatorCall) {
  const { partnerId } = await findPartner(call.context.db, idOf(call));
  const [live, sandbox] = await Promise.all([ofWorld(call, 'live', partnerId), ofWorld(call, 'sandbox', partnerId)]);
  return {
    subscriptions: [...live, ...sandbox],
    events: contractEvents,
    all_events: eventNames,
    /** Held and dead deliveries are counted up to these. */
    most_held: webhookLimits.counted,
    most_dead: MOST_DEAD,
  };
}

async function ofWorld({ context: { worlds } }: OperatorCall, mode: Mode, partnerId: number) {
  const { webhooks } = worlds[mode];
  const [subscriptions, stopped, dead] = await Promise.all([
    webhooks.subscriptions(partnerId),
    webhooks.stopped(partnerId),
    webhooks.all.dead({ partnerId, limit: MOST_DEAD }),
  ]);
  const held = new Map(stopped.map((one) => [one.id, one.held]));
  return subscriptions.map((subscription) => ({
    ...subscriptionView(subscription),
    mode,
    held: held.get(subscription.id) ?? 0,
    dead: dead.filter(({ subscriptionId }) => subscriptionId === subscription.id).length,
  }));
}

/** Who and what gets in for a partner, and the clock of its sandbox. Keys are shown by their last four characters only. */
export const partnerAccessActions = [
  operatorRead('/operator/api/partners/{id}/keys', async (call) => ({ keys: await keysOf(call) })),
  operatorRead('/operator/api/partners/{id}/members', async (call) => ({ members: await membersOf(call) })),
  operatorRead('/operator/api/partners/{id}/clock', async (call) => {
    const { ahead_seconds } = await showClock(call.context.db, idOf(call), call.now);
    return { test_clock: clockView(ahead_seconds * SECOND, call.now) };
  }),
];

async function keysOf(call: OperatorCall) {
  const { db } = call.context;
  const { partnerId } = await findPartner(db, idOf(call));
  const keys = await latestKeys(db, partnerId);
  const { ahead_seconds } = await showClock(db, partnerId, call.now);
  const views = await keyViews(call.context, keys, { now: call.now, aheadMs: ahead_seconds * SECOND });
  return views.map((view, i) => ({ ...view, tier_ceilings: (keys[i] as ApiKey).tierCeilings }));
}

async function membersOf(call: OperatorCall) {
  const { db } = call.context;
  const { partnerId } = await findPartner(db, idOf(call));
  const guarded = new Set(await members.withSecondFactor(db, partnerId));
  return (await members.list(db, partnerId)).map((member) => ({
    ...memberView(member),
    second_factor: guarded.has(member.memberId),
  }));
}

export type PartnerKeyView = Awaited<ReturnType<typeof keysOf>>[number];

/** A partner's panel as the partner sees it, read-only. The cookie is the panel's: it replaces what this browser was signed in as there. */
export const viewActions = ({ config }: Base) => {
  const cookie = memberCookie(config.panelUrl);
  return [
    operatorChange('/operator/api/partners/{id}/view', {
      may: 'see',
      keyless: 'each view is opened with an entry of its own in the audit log',
      noCommand:
        'it opens pages in a browser; the command line shows the same with partner show, order list and others',
      async handle(call) {
        const partnerId = idOf(call);
        const opened = await change(call.context, 'partner view', async (tx) => {
          const { token, until } = await partnerViews.open(tx, call.token, partnerId, call.now);
          return { target: `partner ${partnerId}`, after: { until }, result: token };
        });
        return { body: {}, session: { opened, cookie } };
      },
    }),
  ];
};
