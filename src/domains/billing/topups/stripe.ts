import { Stripe } from 'stripe';
import { toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { SECOND } from '../../../platform/clock.ts';
import {
  BadSignature,
  type CardPayments,
  CardsRejected,
  CardsUnavailable,
  type Intent,
  type PaymentHint,
} from './cards.ts';

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

interface StripeOptions {
  readonly secretKey: string;
  readonly publishableKey?: string | undefined;
  /** Another address than Stripe's own, for tests. */
  readonly apiBase?: string | undefined;
  readonly timeoutMs?: number;
}

/** Two attempts of this length still fit into the time a partner waits for an answer. */
const TIMEOUT_MS = 8 * SECOND;
const MAX_DISPUTES = 100;

/** PaymentIntents at Stripe. The SDK retries a lost answer once, under the same idempotency key. */
export function stripeCards(options: StripeOptions): CardPayments {
  const base = new URL(options.apiBase ?? 'https://api.stripe.com');
  const client = new Stripe(options.secretKey, {
    host: base.hostname,
    port: base.port || (base.protocol === 'http:' ? 80 : 443),
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });

  /** The charge carries its refunds. Disputes are fetched only if the charge says there is one. */
  async function complete(intent: Stripe.PaymentIntent): Promise<Intent> {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
    const disputes = charge?.disputed
      ? await client.disputes.list({ payment_intent: intent.id, limit: MAX_DISPUTES })
      : undefined;
    const disputed = disputes?.data.filter(holdsMoney).reduce((sum, dispute) => sum + dispute.amount, 0) ?? 0;
    return view(intent, charge?.amount_refunded ?? 0, disputed);
  }

  const retrieve = async (id: string) =>
    complete(await client.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));

  return {
    name: 'stripe',
    publishableKey: options.publishableKey,
    open: (payment) =>
      answered(async () => {
        const intent = await client.paymentIntents.create(
          {
            amount: Number(payment.amount),
            currency: payment.currency.toLowerCase(),
            automatic_payment_methods: { enabled: true },
            description: 'Wallet top-up',
            metadata: { payment_key: payment.paymentKey },
          },
          { idempotencyKey: payment.paymentKey },
        );
        if (!intent.client_secret) throw new CardsUnavailable('stripe sent no client secret');
        return { ...view(intent, 0, 0), clientSecret: intent.client_secret };
      }),
    read: (id) => answered(() => retrieve(id)),
    cancel: (id) =>
      answered(async () => {
        try {
          return view(await client.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }), 0, 0);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          if (error.code !== 'payment_intent_unexpected_state') throw error;
          return retrieve(id);
        }
      }),
  };
}

/** An inquiry (`warning_…`) withdraws nothing yet; a dispute that was won or prevented gave the money back. */
function holdsMoney({ status }: Stripe.Dispute): boolean {
  return !(status.startsWith('warning_') || status === 'won' || status === 'prevented');
}

const states: Readonly<Record<string, Intent['state']>> = {
  succeeded: 'succeeded',
  canceled: 'canceled',
  processing: 'pending',
  requires_capture: 'pending',
};

function view(intent: Stripe.PaymentIntent, refunded: number, disputed: number): Intent {
  const state = states[intent.status] ?? 'open';
  return {
    id: intent.id,
    paymentKey: intent.metadata.payment_key ?? '',
    state,
    amount: toCents(BigInt(state === 'succeeded' ? intent.amount_received : intent.amount)),
    currency: intent.currency.toUpperCase(),
    refunded: refunded > 0 ? toCents(BigInt(refunded)) : ZERO,
    disputed: disputed > 0 ? toCents(BigInt(disputed)) : ZERO,
  };
}

const BUSY = [409, 429];

/** Stripe's errors contain request headers and bodies, so only their kind and number are passed on. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const status = error.statusCode ?? 0;
    const said = `stripe: ${error.type} ${error.code ?? ''} ${error.requestId ?? ''}`.trim();
    if (status >= 400 && status < 500 && !BUSY.includes(status)) throw new CardsRejected(said);
    throw new CardsUnavailable(said);
  }
}
