import { Refused } from '../accounts/accounts.ts';
import { audit } from '../actions/audit-log.ts';
import { formatCents, ZERO } from '../money/money.ts';
import {
  CardsRejected,
  CardsUnavailable,
  type CardWorld,
  findTopup,
  hastenCheck,
  listTopups,
  openAmount,
  reconcile,
  type Topup,
} from '../topups/topups.ts';
import { command } from './command.ts';
import { choice, integer, required, text } from './options.ts';

const paymentKey = required(text('PAYMENT_KEY', 'the top-up'));

const shown = (topup: Topup) => ({
  payment_key: topup.paymentKey,
  partner_id: topup.partnerId,
  provider: topup.provider,
  intent_id: topup.intentId,
  status: topup.status,
  amount: formatCents(topup.amount),
  refunded: formatCents(topup.refunded),
  disputed: formatCents(topup.disputed),
  recovered: formatCents(topup.recovered),
  open_amount: formatCents(topup.status === 'succeeded' ? openAmount(topup, topup) : ZERO),
  mismatch: topup.mismatch,
  created_at: topup.createdAt,
});

export const topupCommands = [
  command({
    path: ['topup', 'list'],
    summary: 'Top-ups by card, newest first',
    options: {
      only: choice(
        ['open', 'disputed'],
        'the unpaid; or those with money gone back or a payment that does not match; without it all',
      ),
      partner: integer('PARTNER_ID', 'whose'),
      limit: integer('N', 'how many, 50 by default'),
    },
    run: async ({ worlds }, { only, partner, limit }) =>
      (await listTopups(worlds.live.db, { only, partnerId: partner, limit: limit ?? 50 })).map(shown),
  }),
  command({
    path: ['topup', 'pay'],
    summary: "The card holder's part (simulated card provider only)",
    args: { paymentKey },
    async run({ worlds, cardProvider, clock, db, who }, input) {
      const { simulated } = cardProvider;
      if (!simulated) throw new Refused('not_simulated', 'card payments are not simulated here');
      const topup = await topupOf(worlds.live, input.paymentKey);
      if (topup.intentId === null) throw new Refused('topup_not_found');
      await db.tx((tx) => audit(tx, { who, what: 'topup pay', target: `topup ${topup.paymentKey}` }));
      const intent = await simulated.pay(topup.intentId);
      if (intent.state !== 'succeeded') throw new Refused('topup_closed', 'the top-up is closed and cannot be paid');
      await hastenCheck(worlds.live.db, { provider: simulated.name, intentId: intent.id }, new Date(clock.now()));
      return { payment_key: topup.paymentKey, paid: true };
    },
  }),
  command({
    path: ['topup', 'check'],
    summary: 'Ask the card provider about one top-up now, and take from the wallet what has gone back',
    args: { paymentKey },
    async run({ worlds, clock, db, who }, input) {
      const { live } = worlds;
      const before = await topupOf(live, input.paymentKey);
      if (!live.cards) throw new Refused('topup_not_available', 'card payments are off');
      try {
        await reconcile(live, live.cards, before, clock.now());
      } catch (error) {
        if (!(error instanceof CardsRejected || error instanceof CardsUnavailable)) throw error;
        throw new Refused('provider_failed', error.message);
      }
      const after = await topupOf(live, input.paymentKey);
      const entry = { who, what: 'topup check', target: `topup ${before.paymentKey}` };
      await db.tx((tx) => audit(tx, { ...entry, before: shown(before), after: shown(after) }));
      return shown(after);
    },
  }),
];

/** A top-up of the provider in use; another provider knows nothing of it. */
async function topupOf({ db, cards }: CardWorld, key: string): Promise<Topup> {
  const topup = await findTopup(db, key);
  if (!topup) throw new Refused('topup_not_found');
  if (cards && topup.provider !== cards.name)
    throw new Refused('other_provider', `the top-up belongs to the provider ${topup.provider}`);
  return topup;
}
