import { randomBytes } from 'node:crypto';
import { fail } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import { readBalance } from '../money/balance.ts';
import type { Cents } from '../money/money.ts';
import { type CardPayments, CardsRejected, CardsUnavailable, type PaymentHint } from './cards.ts';
import { OPENING_MS, reconcile, reconcileDue } from './reconcile.ts';
import { findTopup, hastenCheck, recordTopup, refuseTopup, storeIntent } from './rows.ts';
import type { CardWorld } from './terms.ts';

export { BadSignature, CardsRejected, CardsUnavailable, type PaymentHint } from './cards.ts';
export { openAmount } from './outcome.ts';
export { type CardProvider, openCards } from './provider.ts';
export { reconcile } from './reconcile.ts';
export { findTopup, hastenCheck, listTopups, TOPUPS_CHANNEL, type Topup } from './rows.ts';
export type { SimulatedCards } from './simulated.ts';
export type { CardWorld, TopupTerms } from './terms.ts';

export interface StartedTopup {
  readonly paymentKey: string;
  readonly clientSecret: string;
  readonly status: string;
  readonly amount: Cents;
  readonly currency: string;
}

export interface Topups {
  start(world: CardWorld, partnerId: number, amount: Cents, now: number): Promise<StartedTopup>;
  /** Credits the wallet when the provider says it was paid, and gives the balance; asking again changes nothing. */
  confirm(world: CardWorld, partnerId: number, paymentKey: string, now: number): Promise<Cents>;
  /** News of a payment. Nothing of it is believed: the job reads the truth. False when it concerns no top-up of ours. */
  hear(world: CardWorld, hint: PaymentHint, now: number): Promise<boolean>;
  /** Asks about all top-ups that are due; returns how many. */
  reconcile(world: CardWorld, now: number): Promise<number>;
}

const CURRENCY = 'USD';

export function createTopups(log: Log): Topups {
  const complain = ({ paymentKey: payment_key }: { paymentKey: string }, error: unknown) => {
    if (error instanceof CardsRejected || error instanceof CardsUnavailable)
      log.warn({ payment_key, reason: error.message }, 'the card provider gave no answer about a top-up');
    else log.error({ payment_key, err: error }, 'a top-up could not be settled; it will be tried again');
  };

  return {
    async start(world, partnerId, amount, now) {
      const cards = providerOf(world);
      const paymentKey = `${world.topupTerms.keyPrefix}${randomBytes(16).toString('hex')}`;
      const payment = { paymentKey, amount, currency: CURRENCY };
      const createdAt = new Date(now);
      const checkDueAt = new Date(now + OPENING_MS);
      const id = await recordTopup(world.db, { ...payment, partnerId, provider: cards.name, createdAt, checkDueAt });
      const intent = await cards.open(payment).catch(async (error: unknown) => {
        if (!(error instanceof CardsRejected || error instanceof CardsUnavailable)) throw error;
        complain(payment, error);
        if (error instanceof CardsRejected) await refuseTopup(world.db, id, createdAt);
        throw fail('topup_failed');
      });
      // Closed meanwhile by the job: the secret must not go out, or somebody would pay for nothing.
      if (!(await storeIntent(world.db, id, intent.id))) throw fail('topup_failed');
      return { ...payment, clientSecret: intent.clientSecret, status: world.topupTerms.openStatus };
    },

    async confirm(world, partnerId, paymentKey, now) {
      const topup = await findTopup(world.db, paymentKey, partnerId);
      if (!topup) throw fail('topup_not_found');
      if (topup.status === 'succeeded') return readBalance(world.db, partnerId);
      const cards = providerOf(world);
      if (topup.provider !== cards.name || topup.intentId === null) throw fail('topup_confirm_failed');
      const status = await reconcile(world, cards, topup, now).catch((error: unknown) => {
        if (!(error instanceof CardsRejected || error instanceof CardsUnavailable)) throw error;
        complain(topup, error);
        throw fail('topup_confirm_failed');
      });
      if (status !== 'succeeded') throw fail('topup_confirm_failed');
      return readBalance(world.db, partnerId);
    },

    async hear(world, hint, now) {
      return hastenCheck(world.db, { ...hint, provider: providerOf(world).name }, new Date(now));
    },

    reconcile: async (world, now) => (world.cards ? reconcileDue(world, world.cards, now, complain) : 0),
  };
}

function providerOf(world: CardWorld): CardPayments {
  if (!world.cards) throw fail('topup_not_available');
  return world.cards;
}
