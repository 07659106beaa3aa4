import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { stripeApp, topupOf } from '../../../../support/sales/topups.ts';

let t: TestApp;
let live: string;
let sandbox: string;
before(async () => {
  t = await testApp();
  const partner = await t.partner();
  live = await t.key(partner);
  sandbox = await t.key(partner, 'sandbox');
});
after(() => t[Symbol.asyncDispose]());

const topup = (amount: string, key = live, app = t) => app.post('/account/topup', { amount }, { key });
const recorded = async (app = t): Promise<number> => {
  const { n } = await app.base.worlds.live.db.one<{ n: bigint }>(sql`select count(*) as n from topups`);
  return Number(n);
};

test('a live top-up waits for its payment and answers what the client needs to pay', async () => {
  const { status, body } = await topup('25.5');
  assert.equal(status, 200);
  const { id, client_secret, payment_key, ...rest } = body;
  assert.deepEqual(rest, {
    result: 'ok',
    code: '200',
    title: 'Successful',
    api_version: 3,
    status: 'requires_payment',
    amount: 25.5,
    currency: 'USD',
    provider: 'simulated',
    publishable_key: null,
  });
  assert.match(payment_key, /^topup_[0-9a-f]{32}$/);
  assert.equal(id, payment_key);
  assert.match(client_secret, /^sim_\w+_secret_[0-9a-f]{32}$/);
});

test('a sandbox top-up is a fake intent in the same words', async () => {
  const { status, body } = await topup('25.5', sandbox);
  assert.equal(status, 200);
  assert.match(body.id, /^sbx_topup_/);
  assert.match(body.payment_key, /^sbx_topup_/);
  assert.match(body.client_secret, /^sbx_secret_/);
  assert.equal(body.status, 'requires_confirmation');
  assert.equal(body.livemode, false);
  assert.deepEqual([body.amount, body.currency], [25.5, 'USD']);
  assert.deepEqual([body.provider, body.publishable_key], ['sandbox', null]);
});

test('400 amount_required: missing, not a number, not positive, or a part of a cent', async () => {
  const before = await recorded();
  for (const key of [live, sandbox]) {
    assert.equal((await t.post('/account/topup', '', { key })).body.error, 'amount_required');
    assert.equal((await t.post('/account/topup', 'amount=20&amount=20', { key })).body.error, 'amount_required');
    for (const amount of ['', 'ten', '1e3', '-20', '0', '0.00', '20.005', '20,00', '$20', '20.', '0x20', 'NaN'])
      assert.equal((await topup(amount, key)).body.error, 'amount_required', amount);
  }
  assert.equal(await recorded(), before);
});

test('400 amount_out_of_range with min and max, both ends included', async () => {
  for (const key of [live, sandbox]) {
    for (const amount of ['9.99', '10000.01', '0.01', '123456789012345678901234567890']) {
      const { status, body } = await topup(amount, key);
      assert.deepEqual([status, body.error, body.min, body.max], [400, 'amount_out_of_range', 10, 10_000], amount);
    }
    for (const [sent, amount] of [
      ['10', 10],
      ['10.00', 10],
      ['010.500', 10.5],
      ['10000.0000', 10_000],
    ] as const)
      assert.equal((await topup(sent, key)).body.amount, amount, sent);
  }
});

test('403 topup_not_available when card payments are off; nothing is recorded, and the sandbox goes on', async () => {
  await using off = await testApp({ config: { cardPayments: 'off' } });
  const partner = await off.partner();
  const { status, body } = await topup('20', await off.key(partner), off);
  assert.deepEqual([status, body.error], [403, 'topup_not_available']);
  assert.equal(await recorded(off), 0);
  assert.equal((await topup('20', await off.key(partner, 'sandbox'), off)).status, 200);
});

test('400 topup_failed when the provider rejects the intent: the top-up is closed as failed', async () => {
  await using app = await stripeApp();
  app.stripe.meet('reject', /^POST/);
  const { status, body } = await topup('20', app.key, app.t);
  assert.deepEqual([status, body.error], [400, 'topup_failed']);
  const rows = await app.live.db.query(sql`select status, intent_id, check_due_at from topups`);
  assert.deepEqual(rows, [{ status: 'failed', intent_id: null, check_due_at: null }]);
});

test('a lost answer is healed within the call: one intent at the provider, and its secret in the answer', async () => {
  await using app = await stripeApp();
  app.stripe.meet('lose_answer', /^POST/);
  const { paymentKey, intentId } = await app.start('20');
  assert.equal(app.stripe.intents.size, 1);
  assert.equal((await topupOf(app.live, paymentKey)).intentId, intentId);
});

test('500 topup_record_failed when the row cannot be written: the provider is never asked', async () => {
  await using app = await stripeApp();
  await app.t.base.db.run(sql`revoke insert on live.topups from wayfare_live`);
  const { status, body } = await topup('20', app.key, app.t);
  assert.deepEqual([status, body.error], [500, 'topup_record_failed']);
  assert.deepEqual(app.stripe.requests, []);
  await app.t.base.db.run(sql`grant insert on live.topups to wayfare_live`);
  assert.equal((await topup('20', app.key, app.t)).status, 200);
});
