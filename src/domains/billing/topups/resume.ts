import type { CardPayments } from './cards.ts';
import type { TopupStatus } from './outcome.ts';
import { reconcile } from './reconcile.ts';
import type { Topup } from './rows.ts';
import type { CardWorld } from './terms.ts';

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
export async function resume(
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
