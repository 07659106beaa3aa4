import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadSignature, CardsRejected, CardsUnavailable } from '../../../../src/domains/billing/topups/cards.ts';
import { readStripeEvent, stripeCards } from '../../../../src/domains/billing/topups/stripe.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { cardsSuite, payerSuite } from '../../../suites/cards.ts';
import { PATIENCE_MS } from '../../../support/eventually.ts';
import { fakeStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../../support/servers/fake-stripe.ts';

async function start(timeoutMs = PATIENCE_MS) {
  const stripe = await fakeStripe();
  const cards = stripeCards({ secretKey: STRIPE_KEY, apiBase: stripe.address, timeoutMs });
  return {
    stripe,
    cards,
    pay: async (id: string) => void stripe.pay(id),
    [Symbol.asyncDispose]: () => stripe[Symbol.asyncDispose](),
  };
}

cardsSuite('stripe', () => start());
payerSuite('stripe', () => start());

const asked = { paymentKey: 'topup_1', amount: toCents(5000n), currency: 'USD' };
const NOW = Date.parse('2026-03-01T10:00:00Z');

test('a lost answer is asked for again under the same idempotency key: one intent, and its secret arrives', async () => {
  await using t = await start(1_000);
  for (const mishap of ['lose_answer', 'hang', 'server_error'] as const) {
    const payment = { ...asked, paymentKey: `topup_${mishap}` };
    t.stripe.meet(mishap, /^POST/);
    const intent = await t.cards.open(payment);
    assert.equal(intent.id, t.stripe.intentOf(payment.paymentKey));
  }
});

test('timeouts and server errors leave the outcome unknown; a refusal decides it', async () => {
  await using t = await start(1_000);
  t.stripe.meet('hang', /^POST/, 2);
  await assert.rejects(t.cards.open(asked), CardsUnavailable);
  t.stripe.meet('server_error', /^POST/, 2);
  await assert.rejects(t.cards.open(asked), CardsUnavailable);
  t.stripe.meet('rate_limit', /^POST/);
  await assert.rejects(t.cards.open(asked), CardsUnavailable);
  t.stripe.meet('reject', /^POST/);
  await assert.rejects(t.cards.open(asked), CardsRejected);
  await assert.rejects(t.cards.read('pi_unknown', asked), CardsRejected);
});

test('a refused key is a refusal, and neither key nor headers are in the error', async () => {
  await using stripe = await fakeStripe();
  const cards = stripeCards({ secretKey: 'sk_test_someone_else', apiBase: stripe.address });
  const error = await cards.open(asked).catch((reason: unknown) => reason);
  assert.ok(error instanceof CardsRejected);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /sk_test|authorization/i);
});

test('refunds count as the charge says; a dispute counts while the money is away', async () => {
  await using t = await start();
  const { id } = await t.cards.open(asked);
  t.stripe.pay(id);
  t.stripe.refund(id, 1200);
  assert.equal((await t.cards.read(id, asked)).refunded, 1200n);
  const held = { warning_needs_response: 0n, needs_response: 3000n, under_review: 3000n, lost: 3000n, won: 0n };
  for (const [status, amount] of Object.entries(held)) {
    t.stripe.dispute(id, 3000, status);
    assert.equal((await t.cards.read(id, asked)).disputed, amount, status);
  }
});

test('a payment that takes days is pending, and canceling it leaves it pending', async () => {
  await using t = await start();
  const { id } = await t.cards.open(asked);
  t.stripe.process(id);
  assert.equal((await t.cards.read(id, asked)).state, 'pending');
  assert.equal((await t.cards.cancel(id, asked)).state, 'pending');
});

test("an event names its payment only under Stripe's signature, over the very bytes, within five minutes", async () => {
  await using t = await start();
  const { id } = await t.cards.open(asked);
  const event = t.stripe.pay(id);
  const read = (body = event.body, signature: string | undefined = event.signature(NOW), now = NOW) =>
    readStripeEvent(body, signature, STRIPE_WEBHOOK_SECRET, now);
  assert.deepEqual(read(), { intentId: id, paymentKey: asked.paymentKey });
  assert.throws(() => read(Buffer.concat([event.body, Buffer.from(' ')])), BadSignature);
  assert.throws(() => read(event.body, event.signature(NOW, 'whsec_other')), BadSignature);
  assert.throws(() => read(event.body, ''), BadSignature);
  assert.throws(() => read(event.body, event.signature(NOW), NOW + 301_000), BadSignature);
  assert.doesNotThrow(() => read(event.body, event.signature(NOW), NOW + 299_000));
});

test('charges, refunds and disputes name the intent they belong to; other events name nothing', async () => {
  await using t = await start();
  const { id } = await t.cards.open(asked);
  t.stripe.pay(id);
  const read = (event: { body: Buffer; signature(at: number): string }) =>
    readStripeEvent(event.body, event.signature(NOW), STRIPE_WEBHOOK_SECRET, NOW);
  assert.equal(read(t.stripe.refund(id, 100))?.intentId, id);
  assert.equal(read(t.stripe.dispute(id, 100, 'needs_response'))?.intentId, id);
  assert.equal(read(t.stripe.event('refund.failed', { object: 'refund', payment_intent: id }))?.intentId, id);
  assert.equal(read(t.stripe.event('customer.created', { object: 'customer', id: 'cus_1', metadata: {} })), undefined);
});
