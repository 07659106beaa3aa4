import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { bodies, eventIds, subscribePaused } from '../../../support/servers/queued-events.ts';

let t: TestApp;
let product: string;
let price: number;
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
  const key = await t.key(await t.partner());
  price = (await t.get(`/catalog/product/${product}`, { key })).body.product.price;
});
after(() => t[Symbol.asyncDispose]());

const LOW = 'account.balance_low';

async function partnerWith(level: number | 'off', mode: 'live' | 'sandbox' = 'live', usd = '0') {
  const partnerId = await t.partner();
  await subscribePaused(t, partnerId, mode, LOW);
  if (usd !== '0') await credit(t, partnerId, usd);
  const shown = await run(t.operator(), `partner set ${partnerId} --balance-alert ${level}`);
  return { partnerId, shown, key: await t.key(partnerId, mode) };
}

test('the purchase that takes the balance below the level sends the event, later ones do not, and rising above it re-arms it', async () => {
  const { partnerId, key, shown } = await partnerWith(2 * price, 'live', (3 * price).toFixed(2));
  assert.equal(shown.balance_alert, (2 * price).toFixed(2));
  const told = async () => (await eventIds(t, partnerId, 'live')).length;
  await buy(t, key, product);
  assert.equal(await told(), 0, 'at the level is not below it');
  await buy(t, key, product);
  const [body] = await bodies(t, partnerId, 'live');
  assert.deepEqual(
    { ...body, occurred_at: '' },
    {
      event: LOW,
      event_id: `${LOW}:${partnerId}:1`,
      occurred_at: '',
      balance: price.toFixed(2),
      level: (2 * price).toFixed(2),
    },
  );
  assert.match(body.occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  await buy(t, key, product);
  assert.equal((await buy(t, key, product)).status, 402);
  assert.equal(await told(), 1);
  await credit(t, partnerId, (2 * price).toFixed(2));
  await buy(t, key, product);
  assert.deepEqual(await eventIds(t, partnerId, 'live'), [`${LOW}:${partnerId}:1`, `${LOW}:${partnerId}:2`]);
});

test('simultaneous purchases through two processes cross the level once', async () => {
  await using other = await t.another();
  const { partnerId, key } = await partnerWith(10 * price, 'live', (30 * price).toFixed(2));
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => buy(n % 2 ? t : other, key, product)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 30);
  assert.deepEqual(await eventIds(t, partnerId, 'live'), [`${LOW}:${partnerId}:1`]);
});

test('setting a level above the balance sends nothing, nor does a level that is off', async () => {
  const { partnerId, key } = await partnerWith(50, 'live', '40.00');
  await buy(t, key, product);
  await run(t.operator(), `partner set ${partnerId} --balance-alert off`);
  assert.equal((await run(t.operator(), `partner show ${partnerId}`)).balance_alert, null);
  await buy(t, key, product);
  assert.deepEqual(await eventIds(t, partnerId, 'live'), []);
  for (const wrong of ['0', '-1', 'none', '1.234'])
    await assert.rejects(run(t.operator(), ['partner', 'set', String(partnerId), '--balance-alert', wrong]));
});

test('on credit terms the free credit is what falls below the level', async () => {
  const partnerId = await t.partner({ billing: 'postpaid', creditLimit: 10_000n as never });
  await subscribePaused(t, partnerId, 'live', LOW);
  await run(t.operator(), `partner set ${partnerId} --balance-alert 100`);
  const key = await t.key(partnerId);
  assert.equal((await buy(t, key, product)).status, 200);
  const [body] = await bodies(t, partnerId, 'live');
  assert.deepEqual([body.balance, body.level], [(100 - price).toFixed(2), '100.00']);
});

test('an adjustment by the operator counts like a purchase', async () => {
  const { partnerId } = await partnerWith(10, 'live', '30.00');
  await run(t.operator(), ['wallet', 'adjust', '--partner', String(partnerId), '--subtract', '25', '--note', 'typo']);
  assert.deepEqual(await eventIds(t, partnerId, 'live'), [`${LOW}:${partnerId}:1`]);
});

test('the sandbox has the same level on its play money, and its numbers go on after a reset', async () => {
  const { partnerId, key } = await partnerWith(50, 'sandbox');
  const set = (amount: string) => t.post('/account/sandboxBalance', { operation: 'set', amount }, { key });
  await set('50.00');
  assert.deepEqual(await eventIds(t, partnerId, 'sandbox'), []);
  await buy(t, key, product);
  await t.post('/account/sandboxReset', {}, { key });
  await set('1.00');
  const told = await bodies(t, partnerId, 'sandbox');
  assert.deepEqual(
    told.map(({ event_id, livemode, balance }) => [event_id, livemode, balance]),
    [
      [`sbx_${LOW}:${partnerId}:1`, false, (50 - price).toFixed(2)],
      [`sbx_${LOW}:${partnerId}:2`, false, '1.00'],
    ],
  );
});

test('a credited card payment sends one event, in both worlds, with the amount and the balance after it', async () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const partnerId = await t.partner();
    await subscribePaused(t, partnerId, mode, 'topup.succeeded');
    const key = await t.key(partnerId, mode);
    const open = async () => (await t.post('/account/topup', { amount: '25.50' }, { key })).body.payment_key as string;
    const confirm = (payment_key: string) => t.post('/account/topupConfirm', { payment_key }, { key });
    const [first, second] = [await open(), await open()];
    if (mode === 'live')
      for (const paymentKey of [first, second]) {
        const topup = await t.base.worlds.live.topups.find(paymentKey);
        await t.base.cardProvider.simulated?.pay(topup?.intentId ?? '');
      }
    await Promise.all([confirm(first), confirm(first), confirm(first)]);
    await confirm(second);
    const opening = mode === 'live' ? 0 : 1000;
    const prefix = mode === 'live' ? '' : 'sbx_';
    assert.deepEqual(
      (await bodies(t, partnerId, mode)).map(({ occurred_at, ...body }) => body),
      [1, 2].map((n) => ({
        event: 'topup.succeeded',
        event_id: `${prefix}topup.succeeded:${partnerId}:${n}`,
        balance: (opening + n * 25.5).toFixed(2),
        amount: '25.50',
        ...(mode === 'sandbox' && { livemode: false }),
      })),
    );
  }
});

test('a subscription that names no events receives none of these', async () => {
  const partnerId = await t.partner();
  await run(t.operator(), `webhook create --partner ${partnerId} --mode sandbox --url https://93.184.215.14/six`);
  await run(t.operator(), `partner set ${partnerId} --balance-alert 100`);
  const key = await t.key(partnerId, 'sandbox');
  await t.post('/account/sandboxBalance', { operation: 'set', amount: '5' }, { key });
  const { n } = await t.base.worlds.sandbox.db.one<{ n: number }>(sql`
    select count(*)::int as n from webhook_deliveries where partner_id = ${partnerId}`);
  assert.equal(n, 0);
});
