import { Stripe } from 'stripe';
import { BadSignature, type PaymentHint } from './cards.ts';

const TOLERANCE_SECONDS = 300;

/**
 * Reads one of Stripe's webhooks. The signature covers the bytes as received and must be at most five minutes old. Undefined:
 * the event is not about a payment.
 */
export function readStripeEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
  now: number,
): PaymentHint | undefined {
  let event: Stripe.Event;
  try {
    event = Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS, undefined, now);
  } catch {
    throw new BadSignature('the signature of the event does not hold');
  }
  // Payment intents, charges, refunds and disputes all name their intent. Everything else in them may be out of date.
  const about = event.data.object as { object?: string; id?: string; payment_intent?: unknown; metadata?: unknown };
  const intentId = about.object === 'payment_intent' ? about.id : about.payment_intent;
  const paymentKey = (about.metadata as Record<string, unknown> | null | undefined)?.payment_key;
  if (typeof intentId !== 'string' && typeof paymentKey !== 'string') return undefined;
  return { intentId: text(intentId), paymentKey: text(paymentKey) };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
