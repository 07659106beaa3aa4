import { receiptName } from '../../../domains/billing/invoices/invoices.ts';
import {
  EXPIRES_AFTER_MS,
  type ResumeOutcome,
  receiptFor,
  type Topup,
  type TopupOffer,
} from '../../../domains/billing/topups/topups.ts';
import { formatCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf, requireMode } from '../../site/json/action.ts';
import { fields, memberBytes, memberChange, memberRead } from '../member-action.ts';

/** Older ones are in the wallet's history if they were paid, and of no interest if not. */
const LATEST = 5;

/** Top-ups by card as stored on the server, so that an abandoned payment can be resumed. */
export const topupActions = ({ worlds }: Base) => [
  memberRead('/api/{mode}/topups', {
    may: 'see-money',
    viewed: {
      offer: fields('provider', 'has_card_form', 'min', 'max', 'max_balance'),
      topups: {
        ...fields('payment_key', 'provider', 'amount', 'status', 'mismatch', 'returned', 'created_at'),
        ...fields('expires_at'),
      },
    },
    async read(call) {
      const { topups } = worlds[requireMode(call)];
      const latest = await topups.list({ partnerId: call.member.partnerId, limit: LATEST });
      return { offer: offerView(topups.offer), topups: latest.map(view) };
    },
  }),
  // One that is not paid, or another partner's, has none.
  memberBytes('/api/{mode}/topups/{paymentKey}/receipt', {
    may: 'see-money',
    async file(call) {
      const { topups, invoices } = worlds[requireMode(call)];
      const topup = await topups.find(call.params.paymentKey ?? '', call.member.partnerId);
      const paid = topup && receiptFor(topup);
      if (!paid) throw new Refused('topup_not_found', 'there is no such payment, or it is not paid');
      return { fileName: receiptName(paid), type: 'application/pdf', bytes: await invoices.receiptPdf(paid) };
    },
  }),
  // Live only: the sandbox has no card payments; `account/topupConfirm` finishes its top-ups.
  memberChange('/api/live/topups/{paymentKey}/resume', {
    may: 'spend',
    keyless: 'it asks what became of a payment, which is credited once however often one asks',
    async handle({ member, params, now }) {
      const { topups } = worlds.live;
      const resumed = await topups.resume(member.partnerId, params.paymentKey ?? '', now);
      if (resumed.outcome === 'not_found') throw new Refused('topup_not_found', 'there is no such payment');
      const found = await topups.find(params.paymentKey ?? '');
      return { body: resumedView(resumed, found, topups.offer) };
    },
  }),
];

const offerView = ({ provider, publishableKey, min, max, maxBalance }: TopupOffer) => ({
  /** null: card payments are switched off. */
  provider: provider ?? null,
  /** The provider's card form can be shown in our page. */
  has_card_form: publishableKey !== undefined,
  min: formatCents(min),
  max: formatCents(max),
  max_balance: maxBalance === undefined ? null : formatCents(maxBalance),
});

const view = (topup: Topup) => ({
  /** `mismatch`: how the payment differs from what was requested. */
  ...jsonOf(topup, 'paymentKey', 'provider', 'status', 'mismatch', 'createdAt'),
  amount: formatCents(topup.amount),
  /** Went back to the card holder and was taken from the wallet. */
  returned: formatCents(topup.recovered),
  expires_at: iso(new Date(topup.createdAt.getTime() + EXPIRES_AFTER_MS)),
});

const resumedView = (resumed: ResumeOutcome, topup: Topup | undefined, offer: TopupOffer) => ({
  state: resumed.outcome,
  amount: topup ? formatCents(topup.amount) : '0.00',
  provider: offer.provider ?? null,
  client_secret: resumed.outcome === 'open' ? resumed.clientSecret : null,
  publishable_key: offer.publishableKey ?? null,
});
