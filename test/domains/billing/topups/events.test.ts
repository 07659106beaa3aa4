import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { cashOf, openTopup, type StripeApp, stripeApp, topupsOf, walletLines } from '../../../support/sales/topups.ts';
import type { StripeEvent } from '../../../support/servers/fake-stripe.ts';

let app: StripeApp;
before(async () => {
  app = await stripeApp();
});
after(() => app[Symbol.asyncDispose]());

/** A partner of its own, so that each story reads its own wallet. */
async function newcomer(): Promise<StripeApp> {
  const partnerId = await app.t.partner();
  const key = await app.t.key(partnerId);
  return {
    ...app,
    partnerId,
    key,
    async start(amount) {
      const { body } = await app.t.post('/account/topup', { amount }, { key });
      return { paymentKey: body.payment_key, intentId: app.stripe.intentOf(body.payment_key) };
    },
    confirm: (payment_key) => app.t.post('/account/topupConfirm', { payment_key }, { key }),
  };
}

test('a payment whose confirm call never comes is credited all the same', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  const topup = await us.settle(app.stripe.pay(intentId), paymentKey);
  assert.equal(topup.status, 'succeeded');
  assert.deepEqual(await walletLines(us.live, us.partnerId), [['topup', 3000]]);
  assert.equal((await us.confirm(paymentKey)).body.balance, 30);
});

test('events twice, late and in any order leave what Stripe holds: one credit, one amount taken back', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  const events: StripeEvent[] = [
    app.stripe.decline(intentId),
    app.stripe.pay(intentId),
    app.stripe.refund(intentId, 500),
  ];
  for (const event of [...events].reverse().concat(events)) await us.settle(event, paymentKey);
  assert.deepEqual(await walletLines(us.live, us.partnerId), [
    ['topup', 3000],
    ['adjust', -500],
  ]);
});

test('an event is only a hint: one that claims success for an unpaid intent credits nothing', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  const claim = { object: 'payment_intent', id: intentId, status: 'succeeded', amount_received: 3000 };
  assert.equal(await us.deliver(app.stripe.event('payment_intent.succeeded', claim)), 200);
  assert.equal((await us.confirm(paymentKey)).body.error, 'topup_confirm_failed');
  assert.deepEqual(await walletLines(us.live, us.partnerId), []);
});

test('another amount or currency than asked for is never credited, and waits for an operator', async () => {
  for (const [amount, currency, words] of [
    [2999, 'usd', 'paid 29.99 USD, asked for 30.00 USD'],
    [3001, 'usd', 'paid 30.01 USD, asked for 30.00 USD'],
    [3000, 'eur', 'paid 30.00 EUR, asked for 30.00 USD'],
  ] as const) {
    const us = await newcomer();
    const { paymentKey, intentId } = await us.start('30');
    const topup = await us.settle(app.stripe.pay(intentId, amount, currency), paymentKey);
    assert.deepEqual([topup.status, topup.mismatch], ['failed', words]);
    assert.equal((await us.confirm(paymentKey)).body.error, 'topup_confirm_failed');
    assert.deepEqual(await walletLines(us.live, us.partnerId), []);
  }
});

test('a refund takes from the wallet what it has; the rest stays open and is taken when there is money again', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  await us.settle(app.stripe.pay(intentId), paymentKey);
  await us.live.db.run(sql`update wallets set cash = 1000 where partner_id = ${us.partnerId}`);
  const refund = app.stripe.refund(intentId, 2500);
  const short = await us.settle(refund, paymentKey);
  assert.deepEqual([short.refunded, short.recovered, await cashOf(us.live, us.partnerId)], [2500n, 1000n, 0]);
  await us.live.db.run(sql`update wallets set cash = 9000 where partner_id = ${us.partnerId}`);
  const whole = await us.settle(refund, paymentKey);
  assert.deepEqual([whole.recovered, await cashOf(us.live, us.partnerId)], [2500n, 7500]);
});

test('a refund that fails at the bank, and a dispute that is won, come back to the wallet', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  await us.settle(app.stripe.pay(intentId), paymentKey);
  await us.settle(app.stripe.refund(intentId, 500), paymentKey);
  await us.settle(app.stripe.refund(intentId, 0), paymentKey);
  await us.settle(app.stripe.dispute(intentId, 3000, 'warning_needs_response'), paymentKey);
  const disputed = await us.settle(app.stripe.dispute(intentId, 3000, 'needs_response'), paymentKey);
  assert.deepEqual([disputed.disputed, disputed.recovered], [3000n, 3000n]);
  await us.settle(app.stripe.dispute(intentId, 3000, 'won'), paymentKey);
  assert.deepEqual(await walletLines(us.live, us.partnerId), [
    ['topup', 3000],
    ['adjust', -500],
    ['adjust', 500],
    ['adjust', -3000],
    ['adjust', 3000],
  ]);
});

test('never more is taken back than was credited, whatever is refunded and disputed together', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  await us.settle(app.stripe.pay(intentId), paymentKey);
  await us.live.db.run(sql`update wallets set cash = cash + 9000 where partner_id = ${us.partnerId}`);
  app.stripe.refund(intentId, 2000);
  const topup = await us.settle(app.stripe.dispute(intentId, 3000, 'lost'), paymentKey);
  assert.deepEqual([topup.recovered, await cashOf(us.live, us.partnerId)], [3000n, 9000]);
});

test('paid and refunded before the first check: credited and taken back, both on record', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  app.stripe.pay(intentId);
  await us.settle(app.stripe.refund(intentId, 3000), paymentKey);
  assert.deepEqual(await walletLines(us.live, us.partnerId), [
    ['topup', 3000],
    ['adjust', -3000],
  ]);
});

test('400 without a signature that holds; 200 for events about nothing of ours', async () => {
  const us = await newcomer();
  const { intentId } = await us.start('30');
  const event = app.stripe.pay(intentId);
  const now = app.t.clock.now();
  const ask = (headers: Record<string, string>, body = event.body) =>
    app.t.ask('/webhooks/stripe', { host: 'panel', method: 'POST', headers, body });
  for (const headers of [
    {},
    { 'stripe-signature': 't=1,v1=00' },
    { 'stripe-signature': event.signature(now, 'whsec_x') },
  ])
    assert.equal((await ask(headers as Record<string, string>)).status, 400);
  assert.equal((await ask({ 'stripe-signature': event.signature(now - 301_000) })).status, 400);
  assert.equal((await ask({ 'stripe-signature': event.signature(now) }, Buffer.from('{}'))).status, 400);
  assert.deepEqual(await walletLines(us.live, us.partnerId), []);
  assert.equal(
    await us.deliver(app.stripe.event('payment_intent.succeeded', { object: 'payment_intent', id: 'pi_x' })),
    200,
  );
  assert.equal(await us.deliver(app.stripe.event('balance.available', { object: 'balance' })), 200);
});

test('500 while the hint cannot be written down, so Stripe sends it again', async () => {
  const us = await newcomer();
  const { paymentKey, intentId } = await us.start('30');
  const event = app.stripe.pay(intentId);
  await app.t.base.db.run(sql`revoke update on live.topups from wayfare_live`);
  assert.equal(await us.deliver(event), 500);
  await app.t.base.db.run(sql`grant update on live.topups to wayfare_live`);
  assert.equal((await us.settle(event, paymentKey)).status, 'succeeded');
});

test("without Stripe there is no address for Stripe's events", async () => {
  await using simulated = await testApp();
  const answer = await simulated.ask('/webhooks/stripe', { host: 'panel', method: 'POST', body: '{}' });
  assert.equal(answer.status, 404);
});

test('an event that overtakes the answer to the opening call leaves the top-up open', async () => {
  const us = await newcomer();
  const { cards } = us.live;
  assert.ok(cards);
  const topups = topupsOf(us.live);
  const now = app.t.clock.now();
  const overtaken = {
    ...cards,
    async open(...args: Parameters<typeof cards.open>) {
      const intent = await cards.open(...args);
      await topups.notify({ intentId: intent.id, paymentKey: intent.paymentKey }, now);
      await topups.reconcile(now);
      return intent;
    },
  };
  const paymentKey = await openTopup(topupsOf(us.live, overtaken), us.partnerId, toCents(3000n), now);
  app.stripe.pay(app.stripe.intentOf(paymentKey));
  assert.equal((await us.confirm(paymentKey)).body.balance, 30);
});
