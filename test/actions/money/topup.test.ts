import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTopups } from '../../../src/domains/billing/topups/topups.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { liveTopupTerms } from '../../../src/worlds/live.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { stripeApp, topupOf } from '../../support/sales/topups.ts';

test('topup pay does the card holder’s part once; closed and unknown top-ups are refused', async () => {
  await using t = await testApp();
  const key = await t.key(await t.partner());
  const start = async () => (await t.post('/account/topup', { amount: '20' }, { key })).body.payment_key;
  const paymentKey = await start();
  assert.deepEqual(await run(t.operator(), `topup pay ${paymentKey}`), { payment_key: paymentKey, paid: true });
  assert.deepEqual(await run(t.operator(), `topup pay ${paymentKey}`), { payment_key: paymentKey, paid: true });
  const confirmed = await t.post('/account/topupConfirm', { payment_key: paymentKey }, { key });
  assert.equal(confirmed.body.balance, 20);

  const closed = await start();
  await t.base.worlds.live.db.run(sql`update simulated_intents set state = 'canceled' where payment_key = ${closed}`);
  await assert.rejects(run(t.operator(), `topup pay ${closed}`), { code: 'topup_closed' });
  await assert.rejects(run(t.operator(), 'topup pay topup_unknown'), { code: 'topup_not_found' });
  const entries = await t.base.db.query(sql`select target from audit_log where what = 'topup pay' order by id`);
  assert.deepEqual(
    entries,
    [paymentKey, paymentKey, closed].map((name) => ({ target: `topup ${name}` })),
  );
});

test('topup pay is refused where cards are real', async () => {
  await using app = await stripeApp();
  const { paymentKey } = await app.start('20');
  await assert.rejects(run(app.t.operator(), `topup pay ${paymentKey}`), { code: 'not_simulated' });
});

test('topup list shows open ones, and those with money gone back or a payment that does not match', async () => {
  await using app = await stripeApp();
  const [open, wrong, returned] = [await app.start('20'), await app.start('30'), await app.start('40')];
  await app.settle(app.stripe.pay(wrong.intentId, 2999), wrong.paymentKey);
  app.stripe.pay(returned.intentId);
  await app.confirm(returned.paymentKey);
  await app.live.db.run(sql`update wallets set cash = 1500 where partner_id = ${app.partnerId}`);
  await app.settle(app.stripe.dispute(returned.intentId, 4000, 'needs_response'), returned.paymentKey);

  const keys = (rows: { payment_key: string }[]) => rows.map((row) => row.payment_key);
  const operator = app.t.operator();
  assert.deepEqual(keys(await run(operator, 'topup list --only open')), [open.paymentKey]);
  const disputed = await run(operator, 'topup list --only disputed');
  assert.deepEqual(keys(disputed), [returned.paymentKey, wrong.paymentKey]);
  assert.equal(disputed[0].open_amount, '25.00');
  assert.equal(disputed[1].mismatch, 'paid 29.99 USD, asked for 30.00 USD');
  assert.equal((await run(operator, 'topup list')).length, 3);
  assert.deepEqual(await run(operator, `topup list --partner ${app.partnerId + 1}`), []);
});

test('topup check asks the provider now and takes the open amount when the wallet has it', async () => {
  await using app = await stripeApp();
  const { paymentKey, intentId } = await app.start('40');
  app.stripe.pay(intentId);
  const operator = app.t.operator();
  assert.equal((await run(operator, `topup check ${paymentKey}`)).status, 'succeeded');
  await app.live.db.run(sql`update wallets set cash = 0 where partner_id = ${app.partnerId}`);
  app.stripe.refund(intentId, 4000);
  assert.equal((await run(operator, `topup check ${paymentKey}`)).open_amount, '40.00');
  await app.live.db.run(sql`update wallets set cash = 5000 where partner_id = ${app.partnerId}`);
  assert.equal((await run(operator, `topup check ${paymentKey}`)).open_amount, '0.00');
  app.stripe.meet('server_error', /^GET/, 2);
  await assert.rejects(run(operator, `topup check ${paymentKey}`), { code: 'provider_failed' });
  await app.live.db.run(sql`update topups set provider = 'simulated'`);
  await assert.rejects(run(operator, `topup check ${paymentKey}`), { code: 'other_provider' });
  assert.equal((await topupOf(app.live, paymentKey)).recovered, 4000n);
});

test('topup check is refused where card payments are off', async () => {
  await using t = await testApp();
  const key = await t.key(await t.partner());
  const { payment_key } = (await t.post('/account/topup', { amount: '20' }, { key })).body;
  const operator = t.operator();
  const { live } = operator.worlds;
  const topups = createTopups({ ...live, cards: undefined, topupTerms: liveTopupTerms }, operator);
  const off = { ...operator, worlds: { ...operator.worlds, live: { ...live, topups } } };
  await assert.rejects(run(off, `topup check ${payment_key}`), { code: 'topup_not_available' });
});

test('audit proves that what came by card, less what went back, is what the wallets were credited', async () => {
  await using app = await stripeApp();
  const { paymentKey, intentId } = await app.start('40');
  app.stripe.pay(intentId);
  await app.confirm(paymentKey);
  await app.settle(app.stripe.refund(intentId, 1500), paymentKey);
  const sandbox = await app.t.key(app.partnerId, 'sandbox');
  const { payment_key } = (await app.t.post('/account/topup', { amount: '20' }, { key: sandbox })).body;
  await app.t.post('/account/topupConfirm', { payment_key }, { key: sandbox });
  assert.equal((await run(app.t.operator(), 'audit')).ok, true);
  await app.live.db.run(sql`update topups set recovered = 1499`);
  const { ok, live } = await run(app.t.operator(), 'audit');
  assert.equal(ok, false);
  const rule = 'every card payment is in the wallet once, less what went back';
  assert.deepEqual(live.drift, [{ rule, rows: 1, examples: [String(app.partnerId)] }]);
});
