import type { SoldToPartner } from '../../../domains/insight/figures/figures.ts';
import {
  type BillingMode,
  type ListedPartner,
  type PartnerState,
  partnerStates,
  searchPartners,
} from '../../../domains/partners/accounts/accounts.ts';
import { formatCents, ZERO } from '../../../platform/amounts/cents.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { lastDays } from '../../site/views/span.ts';
import { type OperatorAction, type OperatorCall, operatorRead } from '../action.ts';
import { walletView } from './partner-money.ts';

const PER_PAGE = 50;
const MAX_TEXT = 200;

/** All partners, newest first. */
export const partnersActions: readonly OperatorAction[] = [operatorRead('/operator/api/partners', partners)];

async function partners(call: OperatorCall) {
  const { db, worlds } = call.context;
  const { words, oneOf, smallId } = filtersFrom(call, 'ignored');
  const found = await searchPartners(db, {
    text: words('q', MAX_TEXT),
    state: oneOf<PartnerState>('status', partnerStates),
    billingMode: oneOf<BillingMode>('billing', ['prepaid', 'postpaid']),
    before: smallId('before'),
    limit: PER_PAGE + 1,
  });
  const listed = found.slice(0, PER_PAGE);
  const ids = listed.map(({ partnerId }) => partnerId);
  const sold = await worlds.live.insight.soldTo(ids, lastDays(call.now));
  const soldTo = new Map(sold.map((one) => [one.partnerId, one]));
  return {
    partners: listed.map((partner) => rowView(partner, soldTo.get(partner.partnerId))),
    has_more: found.length > PER_PAGE,
  };
}

const rowView = (partner: ListedPartner, sold: SoldToPartner | undefined) => ({
  id: partner.partnerId,
  name: partner.name,
  email: partner.email,
  status: partner.state,
  billing_mode: partner.billingMode,
  wallet: walletView(partner),
  recent: recentView(sold),
  created_at: iso(partner.createdAt),
});

/** Live orders of the last 30 days; counted by a job, so they are seconds old. */
export const recentView = (sold: SoldToPartner | undefined) => ({
  orders: sold?.orders ?? 0,
  charged: formatCents(sold?.charged ?? ZERO),
  returned: formatCents(sold?.returned ?? ZERO),
});

export type PartnerRow = ReturnType<typeof rowView>;
export type PartnersView = Awaited<ReturnType<typeof partners>>;
