import { randomBytes } from 'node:crypto';
import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Db } from '../../../platform/db/database.ts';
import { bound } from '../../../platform/db/replicas.ts';
import type { Log } from '../../../platform/log.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { readBalance } from '../../money/ledger/ledger.ts';
import type { CardReceipt } from '../invoices/invoices.ts';
import {
  type CardPayments,
  CardsRejected,
  CardsUnavailable,
  type PaymentHint,
  type SimulatedCards,
  simulatedCards,
} from './cards.ts';
import type { TopupStatus } from './outcome.ts';
import { OPENING_MS, reconcile, reconcileDue } from './reconcile.ts';
import {
  expediteCheck,
  findTopup,
  lastFailed,
  listTopups,
  recordTopup,
  refuseTopup,
  storeIntent,
  type Topup,
  TopupGone,
} from './rows.ts';
import { BalanceAboveCeiling, type CardWorld, type TopupTerms, topupRange } from './settle.ts';

export type ResumeOutcome =
  /** It can be paid: the client secret lets the card holder continue. */
  | { readonly outcome: 'open'; readonly clientSecret: string }
  | { readonly outcome: Exclude<TopupStatus, 'requires_payment'> | 'processing' }
  /** The provider gave no answer, or one that is of no use; the payment is as it was. */
  | { readonly outcome: 'off' | 'not_found' | 'unanswered' };

/**
 * The state of a payment according to its provider, and how it can still be paid. Opening it again under its payment key
 * gives the same intent, with the client secret that we never stored.
 */
async function resume(
  world: CardWorld,
  cards: CardPayments,
  topup: Topup & { readonly intentId: string },
  now: number,
): Promise<ResumeOutcome> {
  const status = await reconcile(world, cards, topup, now);
  if (status !== 'requires_payment') return { outcome: status };
  const intent = await cards.open(topup);
  if (intent.id === topup.intentId) return { outcome: 'open', clientSecret: intent.clientSecret };
  // A provider forgets payment keys after a day or more, and this one has just opened a second intent, which must not be paid.
  await cards.cancel(intent.id, topup);
  return { outcome: 'unanswered' };
}

export type { SimulatedCards } from './cards.ts';
export { BadSignature, type CardPayments, type Intent, type Payment, type PaymentHint } from './cards.ts';
export { EXPIRES_AFTER_MS, openAmount } from './outcome.ts';
export { type FailedTopup, forgetTopups, paymentAlerts, TOPUPS_CHANNEL, type Topup } from './rows.ts';
export { type TopupTerms, topupRange } from './settle.ts';

type StartOutcome =
  | {
      readonly outcome: 'opened';
      readonly paymentKey: string;
      readonly clientSecret: string;
      readonly status: TopupTerms['openStatus'];
      readonly amount: Cents;
      readonly currency: string;
      readonly provider: string;
      /** Undefined: the payment cannot be finished in another page. */
      readonly publishableKey: string | undefined;
    }
  | { readonly outcome: 'off' }
  /** The provider rejected the payment or gave no answer; nothing can be paid. */
  | { readonly outcome: 'not_opened' };

type ConfirmOutcome =
  /** processing: the provider has the payment and has not decided yet. It is credited once it succeeds. */
  | { readonly outcome: 'succeeded' | 'processing'; readonly balance: Cents }
  | { readonly outcome: 'off' | 'not_found' | 'unconfirmed' }
  /** The credit would lift the balance above the ceiling; nothing was credited. */
  | { readonly outcome: 'above_ceiling'; readonly balance: Cents; readonly max: Cents };

export type CheckOutcome =
  | { readonly outcome: 'checked'; readonly before: Topup; readonly after: Topup }
  | { readonly outcome: 'off' | 'not_found' }
  | { readonly outcome: 'other_provider'; readonly provider: string }
  | { readonly outcome: 'provider_failed'; readonly reason: string };

export interface TopupOffer {
  /** Undefined: card payments are switched off. */
  readonly provider: string | undefined;
  readonly publishableKey: string | undefined;
  readonly min: Cents;
  readonly max: Cents;
  /** A top-up may not lift the balance above this. */
  readonly maxBalance: Cents | undefined;
}

export type Topups = ReturnType<typeof createTopups>;

const CURRENCY = 'USD';

/** What its receipt is about; undefined: it is not paid. */
export function receiptFor(topup: Topup): CardReceipt | undefined {
  const { status, partnerId, paymentKey, amount, currency, closedAt: paidAt } = topup;
  return status === 'succeeded' && paidAt ? { partnerId, paymentKey, amount, currency, paidAt } : undefined;
}

const isProviderFailure = (error: unknown): error is CardsRejected | CardsUnavailable =>
  error instanceof CardsRejected || error instanceof CardsUnavailable;

export function createTopups(world: CardWorld, { log }: { log: Log }) {
  const { db, cards, topupTerms } = world;

  const complain = ({ paymentKey }: { paymentKey: string }, error: unknown) => {
    if (isProviderFailure(error))
      log.warn({ paymentKey, reason: error.message }, 'the card provider gave no answer about a top-up');
    else log.error({ paymentKey, err: error }, 'a top-up could not be settled; it will be retried');
  };

  return {
    offer: {
      provider: cards?.name,
      publishableKey: cards?.publishableKey,
      ...topupRange,
      maxBalance: topupTerms.maxBalance,
    },

    async start(partnerId: number, amount: Cents, now: number): Promise<StartOutcome> {
      if (!cards) return { outcome: 'off' };
      const paymentKey = `${topupTerms.keyPrefix}${randomBytes(16).toString('hex')}`;
      const payment = { paymentKey, amount, currency: CURRENCY };
      const createdAt = new Date(now);
      const checkDueAt = new Date(now + OPENING_MS);
      const id = await recordTopup(db, { ...payment, partnerId, provider: cards.name, createdAt, checkDueAt });
      try {
        const intent = await cards.open(payment);
        // The job may have closed it meanwhile. Then the secret must not go out, or the card holder would pay for nothing.
        if (!(await storeIntent(db, id, intent.id))) return { outcome: 'not_opened' };
        const { name: provider, publishableKey } = cards;
        const { clientSecret } = intent;
        return { outcome: 'opened', ...payment, clientSecret, status: topupTerms.openStatus, provider, publishableKey };
      } catch (error) {
        if (!isProviderFailure(error)) throw error;
        complain(payment, error);
        if (error instanceof CardsRejected) await refuseTopup(db, id, createdAt);
        return { outcome: 'not_opened' };
      }
    },

    /** Credits the wallet if the provider says the payment was made. Confirming again changes nothing. */
    async confirm(partnerId: number, paymentKey: string, now: number): Promise<ConfirmOutcome> {
      const topup = await findTopup(db, paymentKey, partnerId);
      if (!topup) return { outcome: 'not_found' };
      if (topup.status === 'succeeded') return { outcome: 'succeeded', balance: await readBalance(db, partnerId) };
      if (!cards) return { outcome: 'off' };
      if (topup.provider !== cards.name || topup.intentId === null) return { outcome: 'unconfirmed' };
      try {
        const status = await reconcile(world, cards, topup, now);
        if (status === 'processing') return { outcome: status, balance: await readBalance(db, partnerId) };
        if (status !== 'succeeded') return { outcome: 'unconfirmed' };
        return { outcome: 'succeeded', balance: await readBalance(db, partnerId) };
      } catch (error) {
        if (error instanceof TopupGone) return { outcome: 'not_found' };
        if (error instanceof BalanceAboveCeiling)
          return { outcome: 'above_ceiling', balance: error.balance, max: error.max };
        if (!isProviderFailure(error)) throw error;
        complain(topup, error);
        return { outcome: 'unconfirmed' };
      }
    },

    /** Asks the provider for a payment's state and, while it is open, for what is needed to pay it. */
    async resume(partnerId: number, paymentKey: string, now: number): Promise<ResumeOutcome> {
      const topup = await findTopup(db, paymentKey, partnerId);
      if (!topup) return { outcome: 'not_found' };
      const { status, intentId, provider } = topup;
      if (status !== 'requires_payment') return { outcome: status };
      if (!cards || provider !== cards.name) return { outcome: 'off' };
      if (intentId === null) return { outcome: 'unanswered' };
      try {
        return await resume(world, cards, { ...topup, intentId }, now);
      } catch (error) {
        if (error instanceof TopupGone) return { outcome: 'not_found' };
        if (!isProviderFailure(error)) throw error;
        complain(topup, error);
        return { outcome: 'unanswered' };
      }
    },

    /**
     * Takes a hint that a payment may have changed, and makes it due for the job. The hint itself is not trusted: the job asks the
     * provider. False: it is not about one of our top-ups.
     */
    notify: async (hint: PaymentHint, now: number): Promise<boolean> =>
      cards ? expediteCheck(db, { ...hint, provider: cards.name }, new Date(now)) : false,

    /** Asks the provider about every top-up that is due; returns how many. */
    reconcile: async (now: number): Promise<number> => (cards ? reconcileDue(world, cards, now, complain) : 0),

    async check(paymentKey: string, now: number): Promise<CheckOutcome> {
      const before = await findTopup(db, paymentKey);
      if (!before) return { outcome: 'not_found' };
      if (!cards) return { outcome: 'off' };
      // Only the provider that opened a payment knows it.
      if (before.provider !== cards.name) return { outcome: 'other_provider', provider: before.provider };
      try {
        await reconcile(world, cards, before, now);
      } catch (error) {
        if (!isProviderFailure(error)) throw error;
        return { outcome: 'provider_failed', reason: error.message };
      }
      const after = (await findTopup(db, paymentKey)) ?? before;
      return { outcome: 'checked', before, after };
    },

    ...bound(db, { find: findTopup, lastFailed, list: listTopups }),
  };
}

/** The configured card provider, with what only that one has. All undefined: card payments are off. */
export interface CardProvider {
  readonly cards: CardPayments | undefined;
  /** Its card holders pay on a page of ours. */
  readonly simulated?: SimulatedCards;
  /** Reads the provider's events. Throws `BadSignature`; undefined when an event is not about a payment. */
  readonly readEvent?: (body: Buffer, signature: string | undefined, now: number) => PaymentHint | undefined;
}

export async function openCards(config: Pick<Config, 'cardPayments' | 'stripe'>, db: Db): Promise<CardProvider> {
  if (config.cardPayments === 'off') return { cards: undefined };
  if (config.cardPayments === 'simulated' || !config.stripe) {
    const simulated = simulatedCards(db);
    return { cards: simulated, simulated };
  }
  // Loaded when needed: the SDK is larger than the rest of the program.
  const { readStripeEvent, stripeCards } = await import('./stripe.ts');
  const { webhookSecret } = config.stripe;
  return {
    cards: stripeCards(config.stripe),
    readEvent: (body, signature, now) => readStripeEvent(body, signature, webhookSecret, now),
  };
}
