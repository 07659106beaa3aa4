import assert from 'node:assert/strict';
import { findTopup } from '../../../src/domains/billing/topups/rows.ts';
import type { CardWorld } from '../../../src/domains/billing/topups/settle.ts';
import { createTopups, type Topup, type Topups } from '../../../src/domains/billing/topups/topups.ts';
import type { Cents } from '../../../src/platform/amounts/cents.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { liveTopupTerms } from '../../../src/worlds/live.ts';
import { eventually } from '../eventually.ts';
import { record, type TestApp, testApp } from '../program/app.ts';
import {
  type FakeStripe,
  fakeStripe,
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeEvent,
} from '../servers/fake-stripe.ts';

/** The app with the fake Stripe behind it, a partner and its live key. */
export interface StripeApp extends AsyncDisposable {
  readonly t: TestApp;
  readonly stripe: FakeStripe;
  readonly live: CardWorld;
  readonly partnerId: number;
  readonly key: string;
  /** Opens a top-up through the API. */
  start(amount: string): Promise<{ paymentKey: string; intentId: string }>;
  confirm(paymentKey: string): ReturnType<TestApp['post']>;
  /** Delivers an event as Stripe would; the status of the answer. */
  deliver(event: StripeEvent, at?: number): Promise<number>;
  /** Delivers an event and waits until the job has looked. */
  settle(event: StripeEvent, paymentKey: string): Promise<Topup>;
}

/** With `role: 'api'` no job runs beside the test, so that a test that plays the job itself meets no other. */
export async function stripeApp({ role = 'all' }: { role?: 'all' | 'api' } = {}): Promise<StripeApp> {
  const stripe = await fakeStripe();
  const t = await testApp({
    role,
    config: {
      cardPayments: 'stripe',
      stripe: {
        secretKey: STRIPE_KEY,
        webhookSecret: STRIPE_WEBHOOK_SECRET,
        publishableKey: 'pk_test_shown',
        apiBase: stripe.address,
      },
    },
  });
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  const { db, webhooks } = t.base.worlds.live;
  const { cards } = t.base.cardProvider;
  const live = { db, cards, webhooks, topupTerms: liveTopupTerms };
  const deliver: StripeApp['deliver'] = async (event, at = t.clock.now()) => {
    const headers = { 'stripe-signature': event.signature(at), 'content-type': 'application/json' };
    const answer = await t.ask('/webhooks/stripe', { host: 'panel', method: 'POST', headers, body: event.body });
    return answer.status;
  };
  return {
    t,
    stripe,
    live,
    partnerId,
    key,
    async start(amount) {
      const { status, body } = await t.post('/account/topup', { amount }, { key });
      assert.equal(status, 200);
      record('secrets', `${body.client_secret}\n`);
      return { paymentKey: body.payment_key, intentId: stripe.intentOf(body.payment_key) };
    },
    confirm: (payment_key) => t.post('/account/topupConfirm', { payment_key }, { key }),
    deliver,
    async settle(event, paymentKey) {
      assert.equal(await deliver(event), 200);
      return lookedAt(live, paymentKey);
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    },
  };
}

/** Top-ups as a process has them, with another card provider behind them where a test needs one. */
export const topupsOf = (live: CardWorld, cards = live.cards): Topups =>
  createTopups({ ...live, cards }, { log: createLog('silent') });

/** Opens a top-up past the API; its payment key. */
export async function openTopup(topups: Topups, partnerId: number, amount: Cents, now: number): Promise<string> {
  const started = await topups.start(partnerId, amount, now);
  assert.ok(started.outcome === 'opened');
  return started.paymentKey;
}

/** The row, once no check of it is due any more. */
async function lookedAt(world: { readonly db: Db }, paymentKey: string): Promise<Topup> {
  await eventually('the job looks at the top-up', async () => {
    const row = await world.db.maybe<{ due: boolean }>(sql`
      select check_due_at is not null as due from topups where payment_key = ${paymentKey}`);
    return row?.due === false;
  });
  return topupOf(world, paymentKey);
}

export async function topupOf(world: { readonly db: Db }, paymentKey: string): Promise<Topup> {
  const topup = await findTopup(world.db, paymentKey);
  assert.ok(topup, `no top-up ${paymentKey}`);
  return topup;
}

/** Wallet lines of a partner, oldest first: type and amount in cents. */
export async function walletLines(
  world: { readonly db: Db },
  partnerId: number,
): Promise<[type: string, cents: number][]> {
  const rows = await world.db.query<{ type: string; amount: bigint }>(sql`
    select type, amount from movements where partner_id = ${partnerId} and book = 'wallet' order by id`);
  return rows.map(({ type, amount }) => [type, Number(amount)]);
}

export async function cashOf(world: { readonly db: Db }, partnerId: number): Promise<number> {
  const { cash } = await world.db.one<{ cash: bigint }>(sql`select cash from wallets where partner_id = ${partnerId}`);
  return Number(cash);
}
