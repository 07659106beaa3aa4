import type { Db } from '../../../platform/db/database.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { CardPayments, PaymentHint } from './cards.ts';
import { type SimulatedCards, simulatedCards } from './simulated.ts';

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
  const { stripeCards } = await import('./stripe.ts');
  const { readStripeEvent } = await import('./stripe-events.ts');
  const { webhookSecret } = config.stripe;
  return {
    cards: stripeCards(config.stripe),
    readEvent: (body, signature, now) => readStripeEvent(body, signature, webhookSecret, now),
  };
}
