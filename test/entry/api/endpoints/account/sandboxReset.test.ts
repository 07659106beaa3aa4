import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { contents } from '../../../../support/database/rows.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit, pausedSubscription } from '../../../../support/sales/shop.ts';

let t: TestApp;
let product: string;
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

const reset = (key: string) => t.post('/account/sandboxReset', {}, { key });
const booksAreRight = async () => assert.deepEqual((await proveBooks(t.base.worlds.sandbox.db, () => {})).drift, []);

/** Two accounts with some of everything, the first also with live data. */
async function accounts() {
  const [mine, theirs] = await Promise.all(
    [0, 1].map(async () => {
      const partnerId = await t.partner();
      await pausedSubscription(t, partnerId);
      return { partnerId, key: await t.key(partnerId, 'sandbox'), live: await t.key(partnerId) };
    }),
  );
  if (!mine || !theirs) throw new Error('two accounts');
  for (const { key } of [mine, theirs]) {
    for (const sandbox_scenario of ['success', 'deferred', 'failed']) {
      await buy(t, key, product, { sandbox_scenario, idempotency_key: sandbox_scenario });
    }
    const { iccid } = (await t.get('/order/get', { key })).body.order[1].esim;
    assert.equal((await t.get(`/order/usage/${iccid}`, { key })).status, 200);
    const { payment_key } = (await t.post('/account/topup', { amount: '20' }, { key })).body;
    await t.post('/account/topupConfirm', { payment_key }, { key });
  }
  await credit(t, mine.partnerId, '50.00');
  assert.equal((await buy(t, mine.live, product)).status, 200);
  return { mine, theirs };
}

/** Rows that name an account, by table. */
async function rowsOf(partnerId: number): Promise<Record<string, number>> {
  return t.base.worlds.sandbox.db.one(sql`
    select (select count(*)::int from orders where partner_id = ${partnerId}) as orders,
      (select count(*)::int from webhook_deliveries where partner_id = ${partnerId}) as deliveries,
      (select count(*)::int from webhook_queue join webhook_subscriptions on subscription_id = webhook_subscriptions.id
        where partner_id = ${partnerId}) as queue,
      (select count(*)::int from topups where partner_id = ${partnerId}) as topups,
      (select count(*)::int from movements where partner_id = ${partnerId}) as movements,
      (select count(*)::int from transfers where partner_id = ${partnerId}) as transfers`);
}

test('orders, delivery records, top-ups and movements are deleted; the balance is 1000.00; no other partner loses a row', async () => {
  const { mine, theirs } = await accounts();
  const open = (await t.post('/account/topup', { amount: '30' }, { key: mine.key })).body.payment_key;
  const live = await contents(t, 'live');
  const others = await rowsOf(theirs.partnerId);
  const readings = async () =>
    (await t.base.worlds.sandbox.db.one<{ n: number }>(sql`select count(*)::int as n from usage_readings`)).n;
  const before = await readings();

  const { status, body } = await reset(mine.key);
  assert.deepEqual([status, body.deleted_orders, body.balance, body.livemode], [200, 3, 1000, false]);
  assert.equal((await t.get('/account/balance', { key: mine.key })).body.balance, 1000);
  const opening = { movements: 1, transfers: 1 };
  assert.deepEqual(await rowsOf(mine.partnerId), { orders: 0, deliveries: 0, queue: 0, topups: 0, ...opening });
  assert.deepEqual((await t.get('/order/get', { key: mine.key })).body.order, []);
  assert.deepEqual((await t.get('/webhook/deliveries', { key: mine.key })).body.deliveries, []);
  assert.equal((await t.get('/webhook/list', { key: mine.key })).body.count, 1, 'subscriptions stay');
  const confirm = await t.post('/account/topupConfirm', { payment_key: open }, { key: mine.key });
  assert.deepEqual([confirm.status, confirm.body.error], [404, 'topup_not_found']);

  assert.deepEqual(await rowsOf(theirs.partnerId), others);
  assert.equal(await readings(), before - 1);
  assert.deepEqual(await contents(t, 'live'), live, 'not one live row changed');
  await booksAreRight();
});

test('keys are free again: the same one buys a new order; a reset of nothing deletes nothing', async () => {
  const key = await t.key(await t.partner(), 'sandbox');
  assert.equal((await reset(key)).body.deleted_orders, 0);
  const first = await buy(t, key, product, { idempotency_key: 'again' });
  assert.equal((await reset(key)).body.deleted_orders, 1);
  const second = await buy(t, key, product, { idempotency_key: 'again' });
  assert.ok(second.body.order_id > first.body.order_id, 'an order number is never used twice');
  assert.equal(second.body.balance, 990);
  await booksAreRight();
});

test('live data is out of reach: the connection that resets may not touch it', async () => {
  const reachable = await t.base.db.query(sql`
    select relname from pg_class where relnamespace = 'live'::regnamespace and relkind = 'r'
      and has_table_privilege('wayfare_sandbox', oid, 'select, insert, update, delete, truncate')`);
  assert.deepEqual(reachable, []);
  const { db } = t.base.worlds.sandbox;
  await assert.rejects(db.run(sql`delete from live.orders`), { code: '42501' });
});

test('400 sandbox_only_action with a live key: nothing changed in either world', async () => {
  const { mine } = await accounts();
  const [live, sandbox] = [await contents(t, 'live'), await contents(t, 'sandbox')];
  const { status, body } = await reset(mine.live);
  assert.deepEqual([status, body.error], [400, 'sandbox_only_action']);
  assert.deepEqual([await contents(t, 'live'), await contents(t, 'sandbox')], [live, sandbox]);
});

test('500 sandbox_reset_failed: the orders cannot be deleted, so everything stays', async () => {
  const { mine } = await accounts();
  const before = await contents(t, 'sandbox');
  await t.base.db.run(sql`revoke delete on sandbox.orders from wayfare_sandbox`);
  const { status, body } = await reset(mine.key);
  await t.base.db.run(sql`grant delete on sandbox.orders to wayfare_sandbox`);
  assert.deepEqual([status, body.error, body.livemode], [500, 'sandbox_reset_failed', false]);
  assert.deepEqual(await contents(t, 'sandbox'), before);
  assert.equal((await reset(mine.key)).body.deleted_orders, 3);
});

test('purchases, top-ups and reads while resetting, in two processes: no error of ours, books right, nothing orphaned', async () => {
  const partnerId = await t.partner();
  await pausedSubscription(t, partnerId);
  const key = await t.key(partnerId, 'sandbox');
  await using other = await t.another();
  const apps = [t, other];
  const work = Array.from({ length: 60 }, async (_, i) => {
    const app = apps[i % 2] as TestApp;
    if (i % 6 === 0) return reset(key);
    if (i % 6 === 1) {
      const { body } = await app.post('/account/topup', { amount: '10' }, { key });
      return app.post('/account/topupConfirm', { payment_key: body.payment_key }, { key });
    }
    if (i % 6 === 2) return app.get('/order/get', { key });
    return buy(app, key, product, { sandbox_scenario: i % 2 ? 'deferred' : 'success' });
  });
  const statuses = (await Promise.all(work)).map(({ status }) => status);
  assert.deepEqual(
    statuses.filter((status) => ![200, 202, 404].includes(status)),
    [],
  );
  await booksAreRight();
  const { orphans } = await t.base.worlds.sandbox.db.one<{ orphans: number }>(sql`
    select count(*)::int as orphans from webhook_deliveries
    where partner_id = ${partnerId} and order_id > 0 and order_id not in (select id from orders)`);
  assert.equal(orphans, 0);
  assert.deepEqual((await reset(key)).body.balance, 1000);
});
