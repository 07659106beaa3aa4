import { MINUTE } from '../../../platform/clock.ts';
import { type CardPayments, CardsRejected, CardsUnavailable, type Intent } from './cards.ts';
import { EXPIRES_AFTER_MS, type TopupStatus } from './outcome.ts';
import { claimDue, pullInChecks, refuseTopup, releaseClosed, rereadTopup, type Topup } from './rows.ts';
import { type CardWorld, settle } from './settle.ts';

/** Longer than a request waits for the provider's answer. Until then a top-up without an intent is still being opened. */
export const OPENING_MS = 2 * MINUTE;
const BATCH = 10;
/** Every attempt after the first means that another process has just settled the same top-up. */
const MAX_ATTEMPTS = 5;

/** Asks the provider about top-ups that are due and settles what it says. Returns how many were looked at. */
export async function reconcileDue(
  world: CardWorld,
  cards: CardPayments,
  now: number,
  onError: (topup: Topup, error: unknown) => void,
): Promise<number> {
  const due = await claimDue(world.db, cards.name, new Date(now), BATCH);
  await Promise.all(
    due.map(async (topup) => {
      try {
        await reconcile(world, cards, topup, now);
        await releaseClosed(world.db, topup.id, topup.leasedUntil);
      } catch (error) {
        // The row keeps its lease and is due again when that expires.
        onError(topup, error);
      }
    }),
  );
  return due.length > 0 ? due.length : pullInChecks(world.db, new Date(now));
}

/** Syncs one top-up with its provider; processing: it is paid, but the provider has not decided yet. */
export async function reconcile(
  world: CardWorld,
  cards: CardPayments,
  seen: Topup,
  now: number,
): Promise<TopupStatus | 'processing'> {
  let topup = seen;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const intent = await currentIntent(cards, topup, now);
    if (!intent) {
      await refuseTopup(world.db, topup.id, new Date(now));
      return 'failed';
    }
    const status = await settle(world, topup, intent, now);
    if (status === 'requires_payment' && intent.state === 'pending') return 'processing';
    if (status) return status;
    topup = await rereadTopup(world.db, topup.id);
  }
  throw new CardsUnavailable('the payment keeps changing');
}

/** Undefined: the provider has no such payment and never will. */
async function currentIntent(cards: CardPayments, topup: Topup, now: number): Promise<Intent | undefined> {
  const age = now - topup.createdAt.getTime();
  // An event can overtake the answer to the call that opens the intent.
  if (topup.intentId === null && age < OPENING_MS) throw new CardsUnavailable('the top-up is still being opened');
  if (topup.intentId === null) return closeUnanswered(cards, topup);
  const intent = await cards.read(topup.intentId, topup);
  const expired = age >= EXPIRES_AFTER_MS;
  return intent.state === 'open' && expired ? cards.cancel(topup.intentId, topup) : intent;
}

/**
 * The provider's answer never reached us, so no one holds the client secret and no one can pay. Opening again under the same
 * payment key finds the intent if it exists, and then it is closed.
 */
async function closeUnanswered(cards: CardPayments, topup: Topup): Promise<Intent | undefined> {
  try {
    const { id } = await cards.open(topup);
    return await cards.cancel(id, topup);
  } catch (error) {
    if (error instanceof CardsRejected) return undefined;
    throw error;
  }
}
