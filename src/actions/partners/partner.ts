import { netDays, readBillingDetails, setBillingDetails } from '../../domains/billing/invoices/invoices.ts';
import {
  createPartner,
  deletePartner,
  findPartner,
  listPartners,
  openLive,
  type Partner,
  requireOpenPartner,
  setPartner,
} from '../../domains/partners/accounts/accounts.ts';
import { liveApplicationOf } from '../../domains/partners/applications/applications.ts';
import { listKeys } from '../../domains/partners/keys/keys.ts';
import { readLimits, shownLimit } from '../../domains/partners/limits/limits.ts';
import { members } from '../../domains/partners/people/people.ts';
import { type Cents, formatCents, toCents } from '../../platform/amounts/cents.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import type { Actor } from '../actor.ts';
import {
  choice,
  integer,
  limitField,
  percentOr,
  required,
  text,
  trueOrFalse,
  usd,
  usdOrOff,
  type Values,
} from '../fields.ts';
import type { Subject } from '../four-eyes.ts';
import { shownSubscription } from '../messages/subscriptions.ts';
import { shownBillingDetails } from '../money/invoice.ts';
import { shownWallet } from '../money/wallet.ts';
import { partnerStatus, subscriptionStatus } from '../system/status-words.ts';
import { shownKey } from './keys.ts';
import { shownMember } from './members.ts';

const billing = choice(['prepaid', 'postpaid'], 'how purchases are paid');
const partnerId = required(integer('PARTNER_ID', 'the partner'));

const shown = (partner: Partner) => ({
  ...snaked(partner, 'partnerId', 'name', 'email', 'disabled', 'marginSharePct', 'revenueSharePct', 'billingMode'),
  credit_limit: formatCents(toCents(partner.creditLimit)),
  suspended: partner.suspended,
  balance_alert: partner.balanceAlert === null ? null : formatCents(partner.balanceAlert),
  limits: partner.limits.map(shownLimit),
  replacements: formatCents(partner.replacementBudget),
  ...snaked(partner, 'billingOpenedAt', 'createdAt', 'deletedAt'),
});
const shownPartner = async (db: Queryable, id: number) => {
  const partner = shown(await findPartner(db, id));
  return { ...partner, ...shownBillingDetails(await readBillingDetails(db, id)) };
};

/** A partner with what belongs to it. Keys that were revoked are left to `key list`. */
async function overview({ db, worlds }: OperatorContext, id: number) {
  const partner = await shownPartner(db, id);
  const subscriptions = async (mode: Mode) =>
    (await worlds[mode].webhooks.subscriptions(id)).map((one) => shownSubscription(mode, one));
  return {
    ...partner,
    wallet: shownWallet((await worlds.live.books.history(id, { limit: 0, start: 1 })).balances),
    keys: (await listKeys(db, id)).filter(({ revokedAt }) => revokedAt === null).map(shownKey),
    members: (await members.list(db, id)).map(shownMember),
    subscriptions: [...(await subscriptions('live')), ...(await subscriptions('sandbox'))],
  };
}

/** One column for the flags, and what is set rarely left to `partner show`. */
const asRow = (partner: ReturnType<typeof shown>) => ({
  ...snaked(partner, 'partner_id', 'name', 'email'),
  status: partnerStatus(partner),
  billing: partner.billing_mode,
  ...snaked(partner, 'credit_limit', 'created_at'),
});

type Overview = Awaited<ReturnType<typeof overview>>;
const overviewText = ({ keys, members, subscriptions, ...partner }: Overview) => ({
  status: partnerStatus(partner),
  ...partner,
  keys: keys.map((key) => snaked(key, 'key_id', 'mode', 'last4', 'created_at', 'expires_at', 'last_used_at')),
  members: members.map((member) => snaked(member, 'member_id', 'email', 'accepted', 'last_sign_in_at')),
  subscriptions: subscriptions.map(({ subscription_id, mode, url, status, fail_count }) => {
    return { subscription_id, mode, url, status: subscriptionStatus(status), fail_count };
  }),
});

export interface BalanceAlert {
  /** Decimal string; null: off. */
  readonly balance_alert: string | null;
}

const shownAlert = async (db: Queryable, partnerId: number): Promise<BalanceAlert> => {
  const { balanceAlert } = await findPartner(db, partnerId);
  return { balance_alert: balanceAlert === null ? null : formatCents(balanceAlert) };
};

/** The level below which account.balance_low is sent, in both worlds; null: off. */
export const setBalanceAlert = (actor: Actor, partnerId: number, level: Cents | null): Promise<BalanceAlert> =>
  amend(
    actor,
    'partner set',
    `partner ${partnerId}`,
    (tx) => shownAlert(tx, partnerId),
    (tx) => setPartner(tx, partnerId, { balanceAlert: level }, new Date(actor.clock.now())),
  );

interface PromisedTerms {
  readonly 'credit-limit'?: Cents | undefined;
  readonly billing?: string | undefined;
  readonly 'margin-share'?: string | null | undefined;
  readonly 'revenue-share'?: string | null | undefined;
  readonly replacements?: Cents | undefined;
}

/**
 * What new terms promise a partner: the whole credit limit if it is raised (raising it in small steps must not avoid the
 * check) or if the account becomes postpaid and the limit starts to apply; the whole budget for replacements, if that is raised; any
 * amount if a share changes, because every sale pays it.
 */
export async function promising(
  context: OperatorContext,
  partnerId: number,
  input: PromisedTerms,
  verb: string,
): Promise<Subject | undefined> {
  const partner = await findPartner(context.db, partnerId);
  const limit = toCents(input['credit-limit'] ?? partner.creditLimit);
  const isLimitRaised = limit > partner.creditLimit;
  const isOpened = input.billing === 'postpaid' && partner.billingMode !== 'postpaid';
  const budget = toCents(input.replacements ?? partner.replacementBudget);
  const isBudgetRaised = budget > partner.replacementBudget;
  const changed = [
    isBudgetRaised &&
      `replacements for up to ${formatCents(toCents(partner.replacementBudget))} → ${formatCents(budget)} USD a month`,
    isLimitRaised && `credit limit ${formatCents(toCents(partner.creditLimit))} → ${formatCents(limit)} USD`,
    isOpened &&
      `billing ${partner.billingMode ?? 'closed'} → postpaid${isLimitRaised ? '' : `, with a credit limit of ${formatCents(limit)} USD`}`,
    input['margin-share'] !== undefined &&
      `margin share ${shareWords(partner.marginSharePct)} → ${shareWords(input['margin-share'])}`,
    input['revenue-share'] !== undefined &&
      `revenue share ${shareWords(partner.revenueSharePct)} → ${shareWords(input['revenue-share'])}`,
  ].filter((one) => one !== false);
  if (changed.length === 0) return undefined;
  const hasShares = input['margin-share'] !== undefined || input['revenue-share'] !== undefined;
  const amount = toCents((isLimitRaised || isOpened ? limit : 0n) + (isBudgetRaised ? budget : 0n));
  return {
    amounts: hasShares ? 'any' : [{ partnerId, amount }],
    partnerId,
    words: `${verb} ${partner.name} (partner ${partnerId}): ${changed.join(', ')}`,
    terms: {
      billing: partner.billingMode ?? 'closed',
      'credit limit': formatCents(toCents(partner.creditLimit)),
      'margin share': shareWords(partner.marginSharePct),
      'revenue share': shareWords(partner.revenueSharePct),
      replacements: formatCents(toCents(partner.replacementBudget)),
    },
  };
}

const shareWords = (pct: string | null): string => (pct === null ? 'none' : `${pct} %`);

const netDaysText = netDays.map(String) as readonly `${(typeof netDays)[number]}`[];

const detailOptions = {
  'legal-name': text('NAME', 'whom its invoices are made out to; none: to the name of the account'),
  'billing-address': text('LINES', 'its address on invoices, with | between the lines; none: removes it'),
  'billing-country': text('CC', 'its country on invoices, two letters: decides about the tax; none: taxed as at home'),
  'vat-id': text('VAT_ID', 'its VAT id on invoices; none: removes it'),
  'billing-email': text('EMAIL', 'where invoices are mailed; none: to its contact address'),
  'net-days': choice(netDaysText, 'days until its invoices on credit terms are due'),
};

/** A page cannot send an empty text, so one that is to be removed is named by a word. */
const given = (value: string): string => (value === 'none' ? '' : value);

const detailsIn = (input: Values<typeof detailOptions>): Parameters<typeof setBillingDetails>[2] => ({
  ...(input['legal-name'] !== undefined && { legalName: given(input['legal-name']) }),
  ...(input['billing-address'] !== undefined && { address: given(input['billing-address']).split('|') }),
  ...(input['billing-country'] !== undefined && { country: given(input['billing-country']) }),
  ...(input['vat-id'] !== undefined && { vatId: given(input['vat-id']) }),
  ...(input['billing-email'] !== undefined && { email: given(input['billing-email']) }),
  ...(input['net-days'] !== undefined && { netDays: Number(input['net-days']) as (typeof netDays)[number] }),
});

export const partnerActions = [
  action({
    name: 'partner create',
    console: { may: 'manage' },
    summary: 'Create a partner account; --billing also opens its billing account',
    options: {
      name: required(text('NAME', 'company or person')),
      email: required(text('EMAIL', 'contact address')),
      billing,
      'credit-limit': usd('the most a postpaid account may owe'),
    },
    run: (context, input) =>
      change(context, 'partner create', async (tx) => {
        const wanted = {
          name: input.name,
          email: input.email,
          billing: input.billing,
          creditLimit: input['credit-limit'],
        };
        const id = await createPartner(tx, wanted, new Date(context.clock.now()));
        return { target: `partner ${id}`, after: await shownPartner(tx, id), result: { partner_id: id } };
      }),
    fourEyes: {
      async subject(_context, { name, 'credit-limit': limit }) {
        if (limit === undefined || limit === 0n) return undefined;
        const words = `Create the partner ${name} with a credit limit of ${formatCents(limit)} USD`;
        return { amounts: [{ partnerId: null, amount: limit }], words, terms: {} };
      },
    },
  }),
  action({
    name: 'partner set',
    console: { may: 'money', fresh: true },
    summary: "Change a partner's name, billing, status, shares or what it may spend",
    args: { id: partnerId },
    options: {
      name: text('NAME', 'company or person'),
      billing,
      'credit-limit': usd('the most a postpaid account may owe'),
      suspended: trueOrFalse('whether the billing account is suspended: purchases are refused'),
      disabled: trueOrFalse('whether the partner is disabled: every call is refused, and members are signed out'),
      'margin-share': percentOr('none', 'fixed share of the margin given as discount; none: the tiers decide'),
      'revenue-share': percentOr('off', 'share of the cost of unused data paid to the partner; off: none'),
      'balance-alert': usdOrOff(
        'send account.balance_low when less than this can be spent, live and sandbox alike; off: never',
      ),
      limit: limitField('by the account, in live and in the sandbox each'),
      ...detailOptions,
      replacements: usd(
        'what replacements of its eSIMs may cost you per calendar month, live and sandbox each; above it you decide about each one',
      ),
    },
    run(context, input) {
      const wanted = {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.billing !== undefined && { billing: input.billing }),
        ...(input['credit-limit'] !== undefined && { creditLimit: input['credit-limit'] }),
        ...(input.suspended !== undefined && { suspended: input.suspended }),
        ...(input.disabled !== undefined && { disabled: input.disabled }),
        ...(input['margin-share'] !== undefined && { marginShare: input['margin-share'] }),
        ...(input['revenue-share'] !== undefined && { revenueShare: input['revenue-share'] }),
        ...(input['balance-alert'] !== undefined && { balanceAlert: input['balance-alert'] }),
        ...(input.limit !== undefined && { limits: readLimits(input.limit) }),
        ...(input.replacements !== undefined && { replacementBudget: input.replacements }),
      };
      return amend(
        context,
        'partner set',
        `partner ${input.id}`,
        (tx) => shownPartner(tx, input.id),
        async (tx, before) => {
          const now = context.clock.now();
          await setPartner(tx, input.id, wanted, new Date(now));
          const details = detailsIn(input);
          if (Object.keys(details).length > 0) await setBillingDetails(tx, input.id, details);
          if (wanted.disabled) await members.endSessionsAt(tx, input.id);
          if (wanted.suspended && !before.suspended)
            await context.mail.noticeFor(tx, input.id, 'account_suspended', {}, now);
        },
      );
    },
    fourEyes: {
      subject: (context, input) => promising(context, input.id, input, 'Change the terms of'),
      hold: (tx, { id }) => requireOpenPartner(tx, id),
    },
  }),
  action({
    name: 'partner open-live',
    console: { may: 'manage', fresh: true },
    summary: 'Open live for a partner that signed up and has not applied for it; its members are notified by mail',
    args: { id: partnerId },
    run: (context, { id }) =>
      amend(
        context,
        'partner open-live',
        `partner ${id}`,
        async (tx) => ({ partner_id: id, live: (await findPartner(tx, id)).isLive }),
        async (tx) => {
          // The partner is locked first, as when its owner applies.
          await requireOpenPartner(tx, id);
          if ((await findPartner(tx, id)).isLive) throw new Refused('live_open');
          const latest = await liveApplicationOf(tx, id);
          if (latest && (latest.status === 'waiting' || latest.status === 'asked'))
            throw new Refused('application_open', `it has applied: decide application ${latest.applicationId} instead`);
          await openLive(tx, id);
          await context.mail.noticeFor(tx, id, 'live_approved', { step: 'by hand' }, context.clock.now());
        },
      ),
  }),
  action({
    name: 'partner delete',
    console: { may: 'manage', fresh: true },
    summary:
      'Close an account permanently: its keys get partner_not_found, changes are refused, orders and money stay on record',
    args: {
      id: required(
        integer('PARTNER_ID', 'the partner; settle what it owes first: its wallet cannot be changed afterwards'),
      ),
    },
    run: (context, { id }) =>
      change(context, 'partner delete', async (tx) => {
        const before = await shownPartner(tx, id);
        await deletePartner(tx, id, new Date(context.clock.now()));
        await members.removeAllOf(tx, id);
        return { target: `partner ${id}`, before, result: { partner_id: id, deleted: true } };
      }),
  }),
  action({
    name: 'partner list',
    console: 'shown',
    summary: 'List open partner accounts',
    run: async ({ db }) => (await listPartners(db)).map(shown),
    text: (partners: ReturnType<typeof shown>[]) => partners.map(asRow),
  }),
  action({
    name: 'partner show',
    console: 'shown',
    summary: 'Show a partner, open or closed, with its wallet, active keys, members and subscriptions',
    args: { id: partnerId },
    run: (context, { id }) => overview(context, id),
    text: overviewText,
  }),
];
