import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { DAY, HOUR } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { raw, sql } from '../../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import { clockSeen } from '../../../../support/sales/account-clock.ts';
import { type Spender, setLimits, spender } from '../../../../support/sales/limits.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, pausedSubscription } from '../../../../support/sales/shop.ts';

const MODES: readonly Mode[] = ['live', 'sandbox'];
const START = Date.parse('2030-03-10T10:30:00Z');

let t: TestApp;
let product: string;
let refill: string;
before(async () => {
  t = await testApp({ config: { provisioning: { budgetMs: 1_000, overdueMs: DAY } } });
  const plan = await testPlan(t);
  product = plan.alias;
  refill = (await testPlan(t, { refills: [plan.code], price: 6 })).alias;
  await catalogKnows(t, product);
  t.clock.freeze(START);
});
after(() => t[Symbol.asyncDispose]());

const batch = (key: string, quantity: number, more: Record<string, string> = {}) =>
  t.post('/purchase/batch', { items: JSON.stringify([{ product_id: product, quantity }]), ...more }, { key });
const limitsOf = async ({ key }: Spender) => (await t.get('/account/limits', { key })).body.limits;
const markOf = (mode: Mode) => (mode === 'sandbox' ? sandbox : {});

for (const mode of MODES) {
  test(`${mode}: a key is refused beyond its amount with the limit and its use; equal is within, and nothing is left behind`, async () => {
    t.clock.freeze(START);
    const buyer = await spender(t, mode);
    await setLimits(buyer, 'key', ['day=25.00'], t);
    for (const n of [1, 2]) assert.equal((await buy(t, buyer.key, product)).status, 200, `purchase ${n}`);
    const before = await counts(t, mode);
    const limit = {
      scope: 'key',
      per: 'day',
      amount: 25,
      count: null,
      used_amount: 20,
      used_count: 2,
      resets_at: '2030-03-11 00:00:00',
    };
    const answer = await buy(t, buyer.key, product, { idempotency_key: 'k' });
    refused(answer, 'limit_exceeded', { limit, ...markOf(mode) });
    assert.deepEqual(await counts(t, mode), before);
    assert.deepEqual(await limitsOf(buyer), [limit]);
    const quote = await t.get(`/purchase/quote?product_id=${product}`, { key: buyer.key });
    assert.deepEqual([quote.body.can_buy, quote.body.blocked_by], [false, 'limit_exceeded']);
    await setLimits(buyer, 'key', ['day=30.00'], t);
    assert.equal((await buy(t, buyer.key, product, { idempotency_key: 'k' })).status, 200, 'equal is within');
  });

  test(`${mode}: a number of orders, refills and batches included; a batch is bought whole or not at all`, async () => {
    t.clock.freeze(START);
    const buyer = await spender(t, mode);
    const { order_id } = (await buy(t, buyer.key, product)).body;
    const { iccid } = (await t.get(`/order/detail/${order_id}`, { key: buyer.key })).body.esim;
    await setLimits(buyer, 'key', ['hour=4x'], t);
    const refused = await batch(buyer.key, 4, { idempotency_key: 'four' });
    assert.equal(refused.body.error, 'limit_exceeded');
    assert.equal(refused.body.limit.used_count, 1, 'orders of before the limit count');
    assert.equal((await batch(buyer.key, 2, { idempotency_key: 'four' })).status, 202);
    const add = () => t.post('/purchase/refill', { iccid, product_id: refill }, { key: buyer.key });
    assert.equal((await add()).status, 200);
    assert.equal((await add()).body.error, 'limit_exceeded');
  });
}

test('a limit per order is about each order of a batch, and never begins again', async () => {
  const buyer = await spender(t);
  await setLimits(buyer, 'key', ['order=9.99'], t);
  const limit = {
    scope: 'key',
    per: 'order',
    amount: 9.99,
    count: null,
    used_amount: 0,
    used_count: 0,
    resets_at: null,
  };
  refused(await buy(t, buyer.key, product), 'limit_exceeded', { limit });
  refused(await batch(buyer.key, 2, { idempotency_key: 'o' }), 'limit_exceeded', { limit });
  await setLimits(buyer, 'key', ['order=10.00'], t);
  assert.equal((await batch(buyer.key, 2, { idempotency_key: 'o' })).status, 202);
});

test("a partner's limit counts all its keys, a key's only its own; the key's is named first", async () => {
  t.clock.freeze(START);
  const one = await spender(t);
  const two = await spender(t, 'live', one.partnerId);
  await setLimits(one, 'partner', ['day=3x'], t);
  await setLimits(one, 'key', ['day=1x'], t);
  assert.equal((await buy(t, one.key, product)).status, 200);
  assert.equal((await buy(t, one.key, product)).body.limit.scope, 'key');
  for (const n of [2, 3]) assert.equal((await buy(t, two.key, product)).status, 200, `purchase ${n}`);
  assert.equal((await buy(t, two.key, product)).body.limit.scope, 'partner');
  assert.equal((await buy(t, one.key, product)).body.limit.scope, 'key');
  assert.deepEqual(
    (await limitsOf(one)).map(({ scope, used_count }: never) => [scope, used_count]),
    [
      ['key', 1],
      ['partner', 3],
    ],
  );
});

test("a partner's limit binds both worlds, and each counts its own", async () => {
  t.clock.freeze(START);
  const live = await spender(t);
  const play = await spender(t, 'sandbox', live.partnerId);
  await setLimits(live, 'partner', ['day=1x'], t);
  assert.equal((await buy(t, live.key, product)).status, 200);
  assert.equal((await buy(t, play.key, product)).status, 200);
  for (const { key } of [live, play]) assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded');
});

test('failed orders do not count, deferred ones do until they fail, and a refund gives no room back', async () => {
  t.clock.freeze(START);
  const buyer = await spender(t, 'sandbox');
  await setLimits(buyer, 'key', ['day=2x'], t);
  const { key } = buyer;
  await buy(t, key, product, { sandbox_scenario: 'failed' });
  const deferred = await buy(t, key, product, { sandbox_scenario: 'deferred' });
  assert.equal(deferred.status, 202);
  const delivered = await buy(t, key, product);
  assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded');
  const refunded = await t.post('/order/refund', { order_id: String(delivered.body.order_id) }, { key });
  assert.equal(refunded.body.refund.status, 'refunded');
  assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded', 'a refund gives no room back');
  const cancelled = await t.post('/order/cancel', { order_id: String(deferred.body.order_id) }, { key });
  assert.equal(cancelled.body.cancel.status, 'cancelled');
  assert.equal((await buy(t, key, product)).status, 200, 'the deferred one failed');
  assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded');
});

test('the last millisecond of a month belongs to it, and the next begins anew', async () => {
  const end = Date.parse('2030-04-01T00:00:00Z');
  t.clock.freeze(end - 1);
  const buyer = await spender(t);
  await setLimits(buyer, 'key', ['month=10.00', 'hour=1x'], t);
  assert.equal((await buy(t, buyer.key, product)).status, 200);
  const over = await buy(t, buyer.key, product);
  assert.deepEqual([over.body.limit.per, over.body.limit.resets_at], ['month', '2030-04-01 00:00:00']);
  t.clock.freeze(end);
  assert.equal((await buy(t, buyer.key, product)).status, 200);
  assert.equal((await buy(t, buyer.key, product)).body.limit.resets_at, '2030-05-01 00:00:00');
});

test('in the sandbox windows follow the test clock, and a reset of the account empties them', async () => {
  t.clock.freeze(START);
  const buyer = await spender(t, 'sandbox');
  const { key, partnerId } = buyer;
  await setLimits(buyer, 'key', ['day=1x'], t);
  assert.equal((await buy(t, key, product)).status, 200);
  assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded');
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 1d`);
  await clockSeen(t, key, 'ahead');
  assert.equal((await buy(t, key, product)).status, 200);
  assert.equal((await buy(t, key, product)).body.limit.resets_at, '2030-03-12 00:00:00');
  await t.post('/account/sandboxReset', {}, { key });
  assert.equal((await limitsOf(buyer))[0].used_count, 0);
  assert.equal((await buy(t, key, product)).status, 200);
});

test('account.limit_reached comes with the first refusal of a window, once per limit, only where it is named', async () => {
  for (const mode of MODES) {
    t.clock.freeze(START);
    const buyer = await spender(t, mode);
    const { key, partnerId } = buyer;
    await pausedSubscription(t, partnerId, 'account.limit_reached', mode);
    await setLimits(buyer, 'key', ['hour=1x', 'day=25.00'], t);
    assert.equal((await buy(t, key, product)).status, 200);
    const refusal = await buy(t, key, product);
    for (const _ of [1, 2]) assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded');
    t.clock.advance(HOUR);
    assert.equal((await buy(t, key, product)).status, 200);
    for (const _ of [1, 2]) assert.equal((await buy(t, key, product)).body.limit.per, 'hour');
    t.clock.advance(HOUR);
    for (const _ of [1, 2]) assert.equal((await buy(t, key, product)).body.limit.per, 'day');
    const { deliveries } = (await t.get('/webhook/deliveries', { key })).body;
    assert.deepEqual(
      deliveries.map(({ event_id }: { event_id: string }) => event_id).reverse(),
      [1, 2, 3].map((n) => `${mode === 'sandbox' ? 'sbx_' : ''}account.limit_reached:${partnerId}:${n}`),
    );
    const { id } = await t.base.worlds[mode].db.one<{ id: bigint }>(
      sql`select min(id) as id from webhook_deliveries where partner_id = ${partnerId}`,
    );
    const first = await t.base.worlds[mode].webhooks.delivery(partnerId, id);
    assert.deepEqual(JSON.parse(first?.payload ?? '').limit, refusal.body.limit);
  }
});

test('a subscription that names no events gets none of the new ones', async () => {
  const buyer = await spender(t);
  await pausedSubscription(t, buyer.partnerId, undefined, 'live');
  await setLimits(buyer, 'key', ['order=1.00'], t);
  assert.equal((await buy(t, buyer.key, product)).body.error, 'limit_exceeded');
  assert.deepEqual((await t.get('/webhook/deliveries', { key: buyer.key })).body.deliveries, []);
});

test('key set and partner set replace the whole set, none ends it, and show has it', async () => {
  const { keyId, partnerId } = await spender(t);
  const set = await run(t.operator(), `key set ${keyId} --limit day=500.00 --limit hour=20x`);
  const limits = [
    { per: 'day', amount: '500.00', count: null },
    { per: 'hour', amount: null, count: 20 },
  ];
  assert.deepEqual(set.limits, limits);
  assert.deepEqual((await run(t.operator(), `key show ${keyId}`)).limits, limits);
  await run(t.operator(), `key set ${keyId} --limit month=1x`);
  assert.equal((await run(t.operator(), `key show ${keyId}`)).limits.length, 1);
  await run(t.operator(), `key set ${keyId} --name other`);
  assert.equal((await run(t.operator(), `key show ${keyId}`)).limits.length, 1, 'left alone by other changes');
  await run(t.operator(), `key set ${keyId} --limit none`);
  assert.deepEqual((await run(t.operator(), `key show ${keyId}`)).limits, []);
  await run(t.operator(), `partner set ${partnerId} --limit order=20.00 --limit day=100x`);
  assert.equal((await run(t.operator(), `partner show ${partnerId}`)).limits.length, 2);
  await assert.rejects(run(t.operator(), `partner set ${partnerId} --limit week=5`), { code: 'invalid_limit' });
  await run(t.operator(), `partner set ${partnerId} --limit none`);
  assert.deepEqual((await run(t.operator(), `partner show ${partnerId}`)).limits, []);
});

test('without limits there is an empty list', async () => {
  assert.deepEqual(await limitsOf(await spender(t, 'sandbox')), []);
});

test('the spending limits of before become limits: per day and month as they were, for all time what was left, per month', async () => {
  const { keyId: daily } = await spender(t);
  const { keyId: whole } = await spender(t);
  const { db } = t.base;
  await db.run(sql`alter table api_keys disable trigger api_keys_spending`);
  await db.run(sql`update api_keys set spending_limit = 5000, spending_period = 'day' where id = ${daily}`);
  await db.run(sql`update api_keys set spending_limit = 5000, spending_period = 'total' where id = ${whole}`);
  await db.run(sql`
    insert into agent_purchases (id, key_id, cents, made_at, is_settled) values ('mcp-old', ${whole}, 1200, now(), true)`);
  await db.run(sql`alter table api_keys enable trigger api_keys_spending`);
  const migration = await readFile('migrations/shared/0150_limits.sql', 'utf8');
  const [moved = ''] = /^update api_keys[^;]*/m.exec(migration) ?? [];
  await db.run(raw(moved));
  const limitsIn = async (keyId: number) => (await run(t.operator(), `key show ${keyId}`)).limits;
  assert.deepEqual(await limitsIn(daily), [{ per: 'day', amount: '50.00', count: null }]);
  assert.deepEqual(await limitsIn(whole), [{ per: 'month', amount: '38.00', count: null }]);

  // A server of the previous version changes it meanwhile.
  await db.run(sql`update api_keys set spending_limit = 700, spending_period = 'month' where id = ${daily}`);
  assert.deepEqual(await limitsIn(daily), [{ per: 'month', amount: '7.00', count: null }]);
  await run(t.operator(), `key set ${daily} --limit day=1x --limit hour=1x`);
  await db.run(sql`update api_keys set spending_limit = null, spending_period = null where id = ${daily}`);
  assert.equal((await limitsIn(daily)).length, 2, 'what was set since stays');
});
