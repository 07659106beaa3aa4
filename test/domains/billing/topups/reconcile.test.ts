import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { cashOf, type StripeApp, stripeApp, topupOf, topupsOf } from '../../../support/sales/topups.ts';

/** The job by hand, at a time of the test's choosing. The app runs none of its own. */
const at = (app: StripeApp, later: number) => topupsOf(app.live).reconcile(app.t.clock.now() + later);
const started = async () => {
  const app = await stripeApp({ role: 'api' });
  app.t.clock.freeze();
  return app;
};

test('a paid top-up without a notification is found and credited', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.pay(intentId);
  assert.equal(await at(app, MINUTE), 0, 'not due yet');
  assert.equal(await at(app, 2 * MINUTE), 1);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'succeeded');
  assert.equal(await at(app, 30 * DAY), 0, 'nothing more is expected of it');
});

test('unpaid after a day it is closed at the provider and expired here', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  for (let later = 0; later < 23 * HOUR; later += 10 * MINUTE) await at(app, later);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'requires_payment');
  const asked = app.stripe.requests.filter(({ method }) => method === 'GET').length;
  assert.ok(asked > 5 && asked < 20, `asked ${asked} times in a day`);
  await at(app, 30 * HOUR);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'expired');
  assert.equal(app.stripe.intents.get(intentId)?.status, 'canceled');
  assert.equal((await app.confirm(paymentKey)).body.error, 'topup_confirm_failed');
});

test('paid in the moment it would expire: the payment wins', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  const { cards } = app.live;
  assert.ok(cards);
  const paidMeanwhile = {
    ...cards,
    async cancel(...args: Parameters<typeof cards.cancel>) {
      app.stripe.pay(intentId);
      return cards.cancel(...args);
    },
  };
  await topupsOf(app.live, paidMeanwhile).reconcile(app.t.clock.now() + DAY);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'succeeded');
  assert.equal(await cashOf(app.live, app.partnerId), 3000);
});

test('a payment that takes days is waited for past the day', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.process(intentId);
  await at(app, 3 * DAY);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'requires_payment');
  app.stripe.pay(intentId);
  await at(app, 4 * DAY);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'succeeded');
});

test('canceled at the provider is failed here', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.abandon(intentId);
  await at(app, 2 * MINUTE);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'failed');
});

test('killed after the row, or after the intent was opened: the intent is found, closed, and the top-up failed', async () => {
  await using app = await started();
  const { cards } = app.live;
  assert.ok(cards);
  const killed = new Error('killed');
  for (const open of [
    async () => Promise.reject(killed),
    async (...args: Parameters<typeof cards.open>) => {
      await cards.open(...args);
      throw killed;
    },
  ]) {
    const topups = topupsOf(app.live, { ...cards, open });
    await assert.rejects(topups.start(app.partnerId, toCents(3000n), app.t.clock.now()), killed);
  }
  assert.equal(await at(app, 2 * MINUTE), 2);
  const rows = await app.live.db.query<{ status: string; intent_id: string }>(
    sql`select status, intent_id from topups`,
  );
  for (const { status, intent_id } of rows) {
    assert.equal(status, 'failed');
    assert.equal(app.stripe.intents.get(intent_id)?.status, 'canceled');
  }
  assert.equal(app.stripe.intents.size, 2);
});

test('an answer that comes after the job has closed the top-up is not returned', async () => {
  await using app = await started();
  const { cards } = app.live;
  assert.ok(cards);
  const slow = {
    ...cards,
    async open(...args: Parameters<typeof cards.open>) {
      const intent = await cards.open(...args);
      await at(app, 2 * MINUTE);
      return intent;
    },
  };
  const late = await topupsOf(app.live, slow).start(app.partnerId, toCents(3000n), app.t.clock.now());
  assert.deepEqual(late, { outcome: 'not_opened' });
});

test('while the provider does not answer, a top-up stays as it is and is checked again', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.pay(intentId);
  app.stripe.meet('server_error', /^GET/, 2);
  await at(app, 2 * MINUTE);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'requires_payment');
  await at(app, 5 * MINUTE);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'succeeded');
});

test('an answer older than what is already stored is not used, and the provider is asked again', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.pay(intentId);
  assert.equal((await app.confirm(paymentKey)).status, 200);
  app.stripe.refund(intentId, 1000);
  const { cards } = app.live;
  assert.ok(cards);
  let overtaken = false;
  const slow = {
    ...cards,
    async read(...args: Parameters<typeof cards.read>) {
      const words = await cards.read(...args);
      if (!overtaken) {
        overtaken = true;
        app.stripe.refund(intentId, 3000);
        await topupsOf(app.live).notify({ intentId }, app.t.clock.now());
        await at(app, 0);
      }
      return words;
    },
  };
  await topupsOf(app.live, slow).reconcile(app.t.clock.now() + 2 * MINUTE);
  assert.equal((await topupOf(app.live, paymentKey)).recovered, 3000n);
  assert.equal(await cashOf(app.live, app.partnerId), 0);
});

test('a notification that arrives during a check causes another check', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.pay(intentId);
  const { cards } = app.live;
  assert.ok(cards);
  const now = app.t.clock.now() + 2 * MINUTE;
  const slow = {
    ...cards,
    async read(...args: Parameters<typeof cards.read>) {
      const words = await cards.read(...args);
      app.stripe.refund(intentId, 1000);
      await topupsOf(app.live).notify({ intentId }, now);
      return words;
    },
  };
  assert.equal(await topupsOf(app.live, slow).reconcile(now), 1);
  assert.equal(await at(app, 2 * MINUTE), 1);
  assert.equal((await topupOf(app.live, paymentKey)).recovered, 1000n);
});

test('an intent whose answer never reached us is found by our reference, even paid', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  await app.live.db.run(sql`update topups set intent_id = null, check_due_at = null`);
  app.stripe.pay(intentId);
  assert.equal(await topupsOf(app.live).notify({ intentId, paymentKey }, app.t.clock.now() + 2 * MINUTE), true);
  await at(app, 2 * MINUTE);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'succeeded');
  assert.equal(await cashOf(app.live, app.partnerId), 3000);
});

test('a check scheduled by a clock that was 30 days ahead is made once the clock is right', async () => {
  await using app = await started();
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.pay(intentId);
  await app.live.db.run(sql`
    update topups set check_due_at = ${new Date(app.t.clock.now() + 30 * DAY)} where payment_key = ${paymentKey}`);
  const topups = topupsOf(app.live);
  while ((await topups.reconcile(app.t.clock.now() + 2 * MINUTE)) > 0);
  assert.equal((await topupOf(app.live, paymentKey)).status, 'succeeded');
});
