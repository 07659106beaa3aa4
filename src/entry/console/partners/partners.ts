import { inUsd } from '../../../actions/action.ts';
import type { SoldToPartner } from '../../../domains/insight/figures/figures.ts';
import { fundsOf, spendable } from '../../../domains/money/ledger/ledger.ts';
import {
  type BillingMode,
  findPartner,
  type ListedPartner,
  type PartnerState,
  partnerStates,
  searchPartners,
} from '../../../domains/partners/accounts/accounts.ts';
import {
  type Application,
  applicationStatuses,
  findApplication,
  listApplications,
} from '../../../domains/partners/applications/applications.ts';
import { type Cents, formatCents, ZERO } from '../../../platform/amounts/cents.ts';
import { idOf, iso, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { lineView } from '../../site/views/money.ts';
import { detailsView } from '../../site/views/records.ts';
import { lastDays } from '../../site/views/span.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

const PER_PAGE = 50;
const MAX_TEXT = 200;

/** All partners, newest first. */
export const partnersActions = [operatorRead('/operator/api/partners', partners)];

async function partners(call: OperatorCall) {
  const { db, worlds } = call.context;
  const { words, oneOf, smallId, ...filters } = filtersFrom(call, 'ignored');
  const limit = filters.limit(PER_PAGE);
  const found = await searchPartners(db, {
    text: words('q', MAX_TEXT),
    state: oneOf<PartnerState>('status', partnerStates),
    billingMode: oneOf<BillingMode>('billing', ['prepaid', 'postpaid']),
    before: smallId('before'),
    limit: limit + 1,
  });
  const listed = found.slice(0, limit);
  const ids = listed.map(({ partnerId }) => partnerId);
  const sold = await worlds.live.insight.soldTo(ids, lastDays(call.now));
  const soldTo = new Map(sold.map((one) => [one.partnerId, one]));
  return {
    partners: listed.map((partner) => rowView(partner, soldTo.get(partner.partnerId))),
    has_more: found.length > limit,
  };
}

const rowView = (partner: ListedPartner, sold: SoldToPartner | undefined) => ({
  id: partner.partnerId,
  ...jsonOf(partner, 'name', 'email', 'billingMode', 'createdAt'),
  status: partner.state,
  wallet: walletView(partner),
  recent: recentView(sold),
});

/** Live orders of the last 30 days; counted by a job, so they are seconds old. */
export const recentView = (sold: SoldToPartner | undefined) => ({
  orders: sold?.orders ?? 0,
  charged: formatCents(sold?.charged ?? ZERO),
  returned: formatCents(sold?.returned ?? ZERO),
});

const LINES = 25;
const MAX_PAGE = 1_000_000;

/** The lines of a partner's wallet or of its debt, newest first. */
export const partnerMoneyActions = [operatorRead('/operator/api/partners/{id}/movements', movements)];

async function movements(call: OperatorCall) {
  const { db, worlds } = call.context;
  const { partnerId } = await findPartner(db, idOf(call));
  const filters = filtersFrom(call, 'ignored');
  const page = { limit: LINES, start: filters.page(MAX_PAGE) };
  const { books } = worlds.live;
  const read =
    filters.oneOf('book', ['wallet', 'debt']) === 'debt'
      ? await books.statement(partnerId, page)
      : await books.history(partnerId, page);
  return { movements: (read?.lines ?? []).map(lineView), total: read?.total ?? 0 };
}

type Held = { readonly billingMode: 'prepaid' | 'postpaid' } & Readonly<
  Record<'creditLimit' | 'cash' | 'promo' | 'outstanding', Cents>
>;

export const walletView = (wallet: Held) => ({
  balance: formatCents(spendable(wallet)),
  ...inUsd(wallet, 'cash', 'promo'),
  debt: formatCents(wallet.outstanding),
  credit_limit: formatCents(wallet.creditLimit),
  available: formatCents(fundsOf(wallet).available(wallet)),
});

/** Sign-ups and applications for live. Decisions are commands (`application approve`, `ask`, `reject`). */
export const applicationActions = [
  operatorRead('/operator/api/applications', applications),
  operatorRead('/operator/api/applications/{id}', async (call) => {
    const application = await findApplication(call.context.db, idOf(call));
    return { application: applicationView(application), sandbox: await sandboxView(call, application.partnerId) };
  }),
];

async function applications(call: OperatorCall) {
  const found = await listApplications(call.context.db, {
    status: filtersFrom(call).oneOf('status', applicationStatuses),
    before: filtersFrom(call, 'ignored').smallId('before'),
    limit: PER_PAGE + 1,
  });
  const rows = found.slice(0, PER_PAGE);
  const ids = rows.flatMap(({ partnerId }) => partnerId ?? []);
  const sold = await call.context.worlds.sandbox.insight.soldTo(ids, lastDays(call.now));
  const orders = new Map(sold.map((one) => [one.partnerId, one.orders]));
  return {
    applications: rows.map((one) => ({
      ...applicationView(one),
      /** In the last 30 days; null: the applicant has no sandbox yet. */
      sandbox_orders: one.partnerId === null ? null : (orders.get(one.partnerId) ?? 0),
    })),
    has_more: found.length > PER_PAGE,
  };
}

/** What the applicant did in the sandbox in the last 30 days; null: they have none yet. */
async function sandboxView({ context, now }: OperatorCall, partnerId: number | null) {
  if (partnerId === null) return null;
  const { insight, requestLog } = context.worlds.sandbox;
  const [[sold], [lastCall]] = await Promise.all([
    insight.soldTo([partnerId], lastDays(now)),
    requestLog.list(partnerId, {}, { limit: 1, now }),
  ]);
  return { ...recentView(sold), last_call_at: lastCall ? iso(lastCall.at) : null };
}

const applicationView = (application: Application) => ({
  id: application.applicationId,
  /** `version`: the one a decision applies to; sent with it. `partner_id` is null for a sign-up whose account is not open. */
  ...jsonOf(application, 'kind', 'status', 'version', 'partnerId', 'name', 'company', 'email'),
  ...detailsView(application.details),
  ...jsonOf(application, 'question', 'answer', 'note', 'createdAt', 'since', 'decidedAt'),
  decided_by: application.decidedBy.replace(/^operator:/, ''),
});
