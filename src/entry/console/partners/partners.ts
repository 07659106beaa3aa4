import { inUsd } from '../../../actions/result.ts';
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
import { type Cents, formatCents, ZERO } from '../../../platform/amounts/cents.ts';
import { idOf, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { lastDays } from '../../site/views/span.ts';
import { lineView } from '../../site/views/statement.ts';
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
  return { movements: (read?.lines ?? []).map(lineView), has_more: read?.hasMore ?? false };
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
