import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for Stripe over HTTP: payment intents, charges, refunds and disputes with Stripe's paths, form encoding,
 * idempotency rules, error bodies and signed events. It also misbehaves on request.
 */
interface FakeIntent {
  id: string;
  client_secret: string;
  status: 'requires_payment_method' | 'processing' | 'succeeded' | 'canceled';
  amount: number;
  amount_received: number;
  currency: string;
  metadata: Record<string, string>;
  charge: { id: string; amount: number; amount_refunded: number; disputed: boolean } | undefined;
}

interface FakeDispute {
  id: string;
  payment_intent: string;
  amount: number;
  status: string;
}

/** What goes wrong with the next request: the answer lost after the work was done, or no work at all. */
export type Mishap = 'lose_answer' | 'hang' | 'server_error' | 'rate_limit' | 'reject';

export interface StripeEvent {
  readonly body: Buffer;
  /** The Stripe-Signature header as Stripe would send it at that moment. */
  signature(at: number, secret?: string): string;
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> };

export const STRIPE_KEY = 'sk_test_fake';
export const STRIPE_WEBHOOK_SECRET = 'whsec_fakestripe';
const API_VERSION = '2026-10-28.endive';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

export async function fakeStripe() {
  const intents = new Map<string, FakeIntent>();
  const disputes: FakeDispute[] = [];
  const replies = new Map<string, { params: string; answer: Answer }>();
  const requests: { method: string; path: string; idempotencyKey: string | undefined }[] = [];
  const mishaps: { mishap: Mishap; path: RegExp }[] = [];

  const problem = (status: number, type: string, code: string, message: string): Answer => ({
    status,
    body: { error: { type, code, message, request_log_url: 'https://dashboard.stripe.invalid/logs' } },
  });

  function create(form: URLSearchParams): Answer {
    const amount = Number(form.get('amount'));
    if (!Number.isInteger(amount) || amount < 50)
      return problem(400, 'invalid_request_error', 'amount_too_small', 'Amount must be at least $0.50 usd');
    if (form.get('currency') !== 'usd') return problem(400, 'invalid_request_error', 'invalid_currency', 'usd only');
    if (form.get('automatic_payment_methods[enabled]') !== 'true')
      return problem(400, 'invalid_request_error', 'parameter_missing', 'automatic_payment_methods');
    const id = `pi_${hex(12)}`;
    const metadata: Record<string, string> = {};
    for (const [name, value] of form) {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
      if (key) metadata[key] = value;
    }
    intents.set(id, {
      id,
      client_secret: `${id}_secret_${hex(12)}`,
      status: 'requires_payment_method',
      amount,
      amount_received: 0,
      currency: 'usd',
      metadata,
      charge: undefined,
    });
    return { status: 200, body: show(must(id), false) };
  }

  function show(intent: FakeIntent, expandCharge: boolean) {
    const { charge, ...own } = intent;
    const full = charge && {
      ...charge,
      object: 'charge',
      currency: intent.currency,
      payment_intent: intent.id,
      metadata: intent.metadata,
      refunded: charge.amount_refunded === charge.amount,
    };
    return {
      ...own,
      object: 'payment_intent',
      livemode: false,
      capture_method: 'automatic_async',
      latest_charge: full ? (expandCharge ? full : full.id) : null,
    };
  }

  function must(id: string): FakeIntent {
    const intent = intents.get(id);
    if (!intent) throw new Error(`no intent ${id}`);
    return intent;
  }

  function route(method: string, url: URL, form: URLSearchParams): Answer {
    if (method === 'POST' && url.pathname === '/v1/payment_intents') return create(form);
    if (method === 'GET' && url.pathname === '/v1/disputes') {
      const data = disputes.filter((dispute) => dispute.payment_intent === url.searchParams.get('payment_intent'));
      return { status: 200, body: { object: 'list', url: '/v1/disputes', has_more: false, data } };
    }
    const [, id = '', action] = /^\/v1\/payment_intents\/(pi_\w+)(\/cancel)?$/.exec(url.pathname) ?? [];
    const intent = intents.get(id);
    if (!intent) return problem(404, 'invalid_request_error', 'resource_missing', `No such payment_intent: '${id}'`);
    if (method === 'GET')
      return { status: 200, body: show(intent, url.searchParams.get('expand[0]') === 'latest_charge') };
    if (method !== 'POST' || action !== '/cancel') return problem(404, 'invalid_request_error', 'unknown', 'unknown');
    if (intent.status !== 'requires_payment_method')
      return problem(400, 'invalid_request_error', 'payment_intent_unexpected_state', `status of ${intent.status}`);
    intent.status = 'canceled';
    return { status: 200, body: show(intent, false) };
  }

  /** Stripe saves the first answer under an idempotency key and gives it again, whatever happened since. */
  function once(key: string | undefined, method: string, url: URL, body: string): Answer {
    const form = new URLSearchParams(body);
    if (method !== 'POST' || !key) return route(method, url, form);
    const params = `${url.pathname} ${body}`;
    const saved = replies.get(key);
    if (saved && saved.params !== params)
      return problem(
        400,
        'idempotency_error',
        'idempotency_key_in_use',
        'Keys can only be used with the same parameters',
      );
    if (saved) return { ...saved.answer, headers: { 'idempotent-replayed': 'true' } };
    const answer = structuredClone(route(method, url, form));
    replies.set(key, { params, answer });
    return answer;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe.invalid');
    const method = request.method ?? 'GET';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    requests.push({ method, path: url.pathname, idempotencyKey });
    const send = ({ status, body, headers }: Answer) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'request-id': `req_${hex(7)}`,
        'stripe-version': API_VERSION,
        ...headers,
      });
      response.end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return send(problem(401, 'invalid_request_error', 'api_key_invalid', 'Invalid API Key provided: sk_test_*ake'));
    const at = mishaps.findIndex(({ path }) => path.test(`${method} ${url.pathname}`));
    const mishap = at < 0 ? undefined : mishaps.splice(at, 1)[0]?.mishap;
    if (mishap === 'server_error') return send(problem(500, 'api_error', 'api_error', 'An unknown error occurred'));
    if (mishap === 'rate_limit') return send(problem(429, 'invalid_request_error', 'rate_limit', 'Too many requests'));
    if (mishap === 'reject')
      return send(problem(402, 'card_error', 'card_declined', 'Your account cannot accept this'));
    if (mishap === 'hang') return;
    const answer = once(idempotencyKey, method, url, Buffer.concat(chunks).toString('utf8'));
    if (mishap === 'lose_answer') return void request.socket.destroy();
    send(answer);
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  function event(type: string, object: unknown): StripeEvent {
    const body = Buffer.from(
      JSON.stringify({ id: `evt_${hex(12)}`, object: 'event', api_version: API_VERSION, type, data: { object } }),
    );
    return {
      body,
      signature(at, secret = STRIPE_WEBHOOK_SECRET) {
        const timestamp = Math.floor(at / 1000);
        const v1 = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
        return `t=${timestamp},v1=${v1},v0=${'0'.repeat(64)}`;
      },
    };
  }

  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    intents,
    /** Every matching request from now on, until it has happened `times` times, meets this. */
    meet(mishap: Mishap, path: RegExp, times = 1) {
      for (let n = 0; n < times; n++) mishaps.push({ mishap, path });
    },
    /** Stripe keeps idempotency keys for a day. */
    forget: () => replies.clear(),
    intentOf(paymentKey: string): string {
      const found = [...intents.values()].filter(({ metadata }) => metadata.payment_key === paymentKey);
      if (found.length !== 1 || !found[0]) throw new Error(`${found.length} intents for ${paymentKey}`);
      return found[0].id;
    },
    /** The card holder pays; `amount` when something else than asked for arrives. */
    pay(id: string, amount = must(id).amount, currency = 'usd'): StripeEvent {
      const intent = must(id);
      if (intent.status === 'canceled') throw new Error('a canceled intent cannot be paid');
      const charge = { id: `ch_${hex(12)}`, amount, amount_refunded: 0, disputed: false };
      Object.assign(intent, { status: 'succeeded', amount_received: amount, currency, charge });
      return event('payment_intent.succeeded', show(intent, false));
    },
    decline: (id: string) => event('payment_intent.payment_failed', show(must(id), false)),
    process(id: string): StripeEvent {
      must(id).status = 'processing';
      return event('payment_intent.processing', show(must(id), false));
    },
    abandon(id: string): StripeEvent {
      must(id).status = 'canceled';
      return event('payment_intent.canceled', show(must(id), false));
    },
    /** Refunded so far, in all: a refund that fails later lowers it again. */
    refund(id: string, amountRefunded: number): StripeEvent {
      const { charge } = must(id);
      if (!charge) throw new Error('nothing to refund');
      charge.amount_refunded = amountRefunded;
      const { latest_charge } = show(must(id), true);
      return event('charge.refunded', latest_charge);
    },
    dispute(id: string, amount: number, status: string): StripeEvent {
      const { charge } = must(id);
      if (!charge) throw new Error('nothing to dispute');
      charge.disputed = true;
      const open = disputes.find((dispute) => dispute.payment_intent === id);
      const dispute = open ?? { id: `du_${hex(12)}`, payment_intent: id, amount, status };
      dispute.status = status;
      if (!open) disputes.push(dispute);
      return event(open ? 'charge.dispute.updated' : 'charge.dispute.created', { object: 'dispute', ...dispute });
    },
    event,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeStripe = Awaited<ReturnType<typeof fakeStripe>>;
