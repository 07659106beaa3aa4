import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import type { World } from '../../../../../src/worlds/world.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { cashOf, stripeApp, topupOf, walletLines } from '../../../../support/sales/topups.ts';

let t: TestApp;
let worlds: { live: World; sandbox: World };
let partnerId: number;
let live: string;
let sandbox: string;
before(async () => {
  t = await testApp();
  worlds = t.base.worlds;
  partnerId = await t.partner();
  live = await t.key(partnerId);
  sandbox = await t.key(partnerId, 'sandbox');
});
after(() => t[Symbol.asyncDispose]());

const start = async (amount: string, key = live): Promise<string> =>
  (await t.post('/account/topup', { amount }, { key })).body.payment_key;
const confirm = (payment_key: string, key = live) => t.post('/account/topupConfirm', { payment_key }, { key });
const pay = (paymentKey: string) => run(t.operator(), `topup pay ${paymentKey}`);

test('a paid top-up is credited once; confirmed again it gives the same answer and adds nothing', async () => {
  const paymentKey = await start('25.50');
  await pay(paymentKey);
  const first = await confirm(paymentKey);
  assert.equal(first.status, 200);
  assert.deepEqual([first.body.status, first.body.balance], ['succeeded', 25.5]);
  assert.deepEqual((await confirm(paymentKey)).body, first.body);
  assert.deepEqual(await walletLines(worlds.live, partnerId), [['topup', 2550]]);
  const { transfers } = await worlds.live.db.one<{ transfers: unknown }>(sql`
    select json_agg(json_build_array(debit, credit, amount)) as transfers from transfers`);
  assert.deepEqual(transfers, [['card_clearing', 'cash', 2550]]);
});

test('400 topup_confirm_failed while nothing is paid, and after the card holder declined', async () => {
  const paymentKey = await start('20');
  const unpaid = await confirm(paymentKey);
  assert.deepEqual([unpaid.status, unpaid.body.error], [400, 'topup_confirm_failed']);
  assert.equal((await topupOf(worlds.live, paymentKey)).status, 'requires_payment');
  const { intentId } = await topupOf(worlds.live, paymentKey);
  await worlds.live.db.run(sql`update simulated_intents set state = 'canceled' where id = ${intentId}`);
  assert.equal((await confirm(paymentKey)).body.error, 'topup_confirm_failed');
  assert.equal((await topupOf(worlds.live, paymentKey)).status, 'failed');
});

test('400 payment_key_required', async () => {
  for (const form of ['', 'payment_key=', 'payment_key=a&payment_key=b'])
    assert.equal((await t.post('/account/topupConfirm', form, { key: live })).body.error, 'payment_key_required');
});

test('404 topup_not_found: an unknown key, a foreign key and one of the other world answer the same bytes', async () => {
  const mine = await start('20');
  const stranger = await t.key(await t.partner());
  const unknown = await confirm('topup_00000000000000000000000000000000', stranger);
  assert.deepEqual([unknown.status, unknown.body.error], [404, 'topup_not_found']);
  assert.equal((await confirm(mine, stranger)).text, unknown.text);
  assert.equal((await confirm(await start('20', sandbox), live)).text, unknown.text);
  assert.equal((await confirm(mine, sandbox)).body.error, 'topup_not_found');
});

test('400 topup_confirm_failed while the provider is silent: nothing is credited, and later it can be confirmed', async () => {
  await using app = await stripeApp();
  const { paymentKey, intentId } = await app.start('20');
  app.stripe.pay(intentId);
  app.stripe.meet('server_error', /^GET/, 2);
  assert.equal((await app.confirm(paymentKey)).body.error, 'topup_confirm_failed');
  assert.equal(await cashOf(app.live, app.partnerId), 0);
  assert.equal((await app.confirm(paymentKey)).body.balance, 20);
});

test('a top-up of another provider than the one in use is not confirmed, and off refuses', async () => {
  const paymentKey = await start('20');
  await worlds.live.db.run(sql`update topups set provider = 'stripe' where payment_key = ${paymentKey}`);
  await worlds.live.db.run(sql`update simulated_intents set state = 'succeeded' where payment_key = ${paymentKey}`);
  assert.equal((await confirm(paymentKey)).body.error, 'topup_confirm_failed');
  await using off = await testApp({
    url: t.base.url,
    secret: t.base.config.secret ?? '',
    config: { cardPayments: 'off' },
  });
  const { status, body } = await off.post('/account/topupConfirm', { payment_key: paymentKey }, { key: live });
  assert.deepEqual([status, body.error], [403, 'topup_not_available']);
});

test('sandbox: the confirm call pays, once per payment key', async () => {
  const key = await t.key(await t.partner(), 'sandbox');
  const paymentKey = await start('50', key);
  const first = await confirm(paymentKey, key);
  assert.deepEqual([first.status, first.body.status, first.body.balance], [200, 'succeeded', 1050]);
  assert.equal(first.body.livemode, false);
  assert.deepEqual((await confirm(paymentKey, key)).body, first.body);
  assert.equal((await t.get('/account/balance', { key })).body.balance, 1050);
});

test('sandbox: 400 balance_out_of_range above the ceiling adds nothing, and the top-up stays confirmable', async () => {
  const partner = await t.partner();
  const key = await t.key(partner, 'sandbox');
  const set = (cents: number) =>
    worlds.sandbox.db.run(sql`update wallets set cash = ${cents} where partner_id = ${partner}`);
  const paymentKey = await start('10.00', key);
  await set(99_999_001);
  const { status, body } = await confirm(paymentKey, key);
  assert.deepEqual([status, body.error, body.balance, body.max], [400, 'balance_out_of_range', 999_990.01, 1_000_000]);
  assert.equal(await cashOf(worlds.sandbox, partner), 99_999_001);
  assert.equal((await topupOf(worlds.sandbox, paymentKey)).status, 'requires_payment');
  await set(99_999_000);
  assert.equal((await confirm(paymentKey, key)).body.balance, 1_000_000);
});

test('sandbox: 500 sandbox_balance_write_failed when the balance cannot be written, rolled back', async () => {
  const partner = await t.partner();
  const key = await t.key(partner, 'sandbox');
  const paymentKey = await start('10.00', key);
  await t.base.db.run(sql`revoke update on sandbox.wallets from wayfare_sandbox`);
  const { status, body } = await confirm(paymentKey, key);
  assert.deepEqual([status, body.error], [500, 'sandbox_balance_write_failed']);
  await t.base.db.run(sql`grant update on sandbox.wallets to wayfare_sandbox`);
  assert.equal(await cashOf(worlds.sandbox, partner), 100_000);
  assert.equal((await confirm(paymentKey, key)).body.balance, 1010);
});

test('200 processing while the provider is still at it, and succeeded once it has settled; nothing is credited before', async () => {
  await using app = await stripeApp({ role: 'api' });
  const { paymentKey, intentId } = await app.start('30');
  app.stripe.process(intentId);
  const answer = await app.confirm(paymentKey);
  assert.deepEqual([answer.status, answer.body.status, answer.body.balance], [200, 'processing', 0]);
  assert.deepEqual(await walletLines(app.live, app.partnerId), []);
  app.stripe.pay(intentId);
  const settled = await app.confirm(paymentKey);
  assert.deepEqual([settled.body.status, settled.body.balance], ['succeeded', 30]);
});

test('with Stripe the answer names it, and its publishable key where there is one', async () => {
  await using app = await stripeApp({ role: 'api' });
  const { body } = await app.t.post('/account/topup', { amount: '30' }, { key: app.key });
  assert.deepEqual([body.provider, body.publishable_key], ['stripe', 'pk_test_shown']);
});
