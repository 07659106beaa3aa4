import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { contents } from '../../support/database/rows.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy, catalogKnows, pausedSubscription } from '../../support/sales/shop.ts';

let t: TestApp;
let product: string;
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(async () => {
  assert.deepEqual((await proveBooks(t.base.worlds.sandbox.db, () => {})).drift, []);
  await t[Symbol.asyncDispose]();
});

async function account(events?: string) {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  const subscription = await pausedSubscription(t, partnerId, events);
  return { partnerId, key, subscription };
}

/** Events of the log, oldest first. */
async function events(key: string): Promise<string[]> {
  const { body } = await t.get('/webhook/deliveries?limit=200', { key });
  return body.deliveries.map(({ event_id }: { event_id: string }) => event_id).reverse();
}

const balance = async (key: string) => (await t.get('/account/balance', { key })).body.balance;
const named = (order: number, ...names: string[]) => names.map((name) => `sbx_order.${name}:${order}:1`);

describe('scenarios', () => {
  for (const sandbox_scenario of ['', 'success']) {
    test(`"${sandbox_scenario}": 200 delivered, charged once, created, paid, delivered`, async () => {
      const { key } = await account();
      const { status, body } = await buy(t, key, product, { sandbox_scenario });
      assert.deepEqual([status, body.delivery, body.provision, body.livemode], [200, 'delivered', 'completed', false]);
      assert.deepEqual([body.billing_mode, body.balance, await balance(key)], ['prepaid', 990, 990]);
      assert.deepEqual(await events(key), named(body.order_id, 'created', 'paid', 'delivered'));
      const { esim } = (await t.get(`/order/detail/${body.id}`, { key })).body;
      assert.match(esim.iccid, /^89000/);
      assert.match(esim.activationCode, /^LPA:1\$sandbox\.invalid\$/);
    });
  }

  test('failed: 200 failed, nothing taken even from an empty balance, created and failed', async () => {
    const { key } = await account();
    await t.post('/account/sandboxBalance', { operation: 'set', amount: '0' }, { key });
    const { status, body } = await buy(t, key, product, { sandbox_scenario: 'failed' });
    assert.deepEqual(
      [status, body.delivery, body.delivery_reason, body.provision, body.balance],
      [200, 'failed', 'sandbox_scenario', 'none', 0],
    );
    assert.deepEqual(await events(key), named(body.order_id, 'created', 'failed'));
  });

  test('402 insufficient_balance: a failed sandbox order, created and failed, key consumed', async () => {
    const { key } = await account();
    await t.post('/account/sandboxBalance', { operation: 'set', amount: '9.99' }, { key });
    const { status, body } = await buy(t, key, product, { idempotency_key: 'poor' });
    assert.deepEqual([status, body.error, body.balance, body.required], [402, 'insufficient_balance', 9.99, 10]);
    assert.deepEqual(await events(key), named(body.order_id, 'created', 'failed'));
    assert.equal((await t.get(`/order/detail/${body.order_id}`, { key })).body.order.status, '2');
    await t.post('/account/sandboxBalance', { operation: 'set', amount: '100' }, { key });
    const replay = await buy(t, key, product, { idempotency_key: 'poor' });
    assert.deepEqual([replay.status, replay.body.delivery, replay.body.balance], [200, 'failed', 100]);
  });

  test('another scenario or usage: 400, and nothing exists of it', async () => {
    const { key } = await account();
    for (const [form, code] of [
      ['sandbox_scenario=delivered', 'invalid_sandbox_scenario'],
      ['sandbox_scenario=success&sandbox_scenario=success', 'invalid_sandbox_scenario'],
      ['sandbox_usage=used', 'invalid_sandbox_usage'],
      ['sandbox_usage[]=active', 'invalid_sandbox_usage'],
    ]) {
      const { status, body } = await t.post('/purchase/buy', `product_id=${product}&${form}`, { key });
      assert.deepEqual([status, body.error], [400, code], form);
    }
    assert.deepEqual([await events(key), await balance(key)], [[], 1000]);
  });

  test('same key: the same order, charged once, no new events; live data is as it was', async () => {
    const { key } = await account();
    const live = await contents(t, 'live');
    const form = { idempotency_key: 'k', sandbox_scenario: 'deferred' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => buy(t, key, product, form)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
    const [id] = new Set(answers.map(({ body }) => body.order_id));
    assert.deepEqual(await events(key), named(id as number, 'created', 'paid', 'deferred'));
    assert.equal(await balance(key), 990);
    assert.deepEqual(await contents(t, 'live'), live);
  });

  test('a suspended billing account buys on: in the sandbox nothing is billed', async () => {
    const { key, partnerId } = await account();
    await run(t.operator(), `partner set ${partnerId} --suspended true --billing postpaid`);
    const { status, body } = await buy(t, key, product);
    assert.deepEqual([status, body.billing_mode], [200, 'prepaid']);
  });

  test('the account owns its data: a revoked key takes nothing with it', async () => {
    const partnerId = await t.partner();
    const first = await run(t.operator(), `key create --partner ${partnerId} --mode sandbox`);
    const { order_id } = (await buy(t, first.key, product)).body;
    await run(t.operator(), `key revoke ${first.key_id}`);
    const second = await t.key(partnerId, 'sandbox');
    assert.equal((await t.get(`/order/detail/${order_id}`, { key: second })).status, 200);
    assert.equal(await balance(second), 990);
  });
});

describe('deferred', () => {
  const readers: Record<string, (key: string, id: string) => Promise<unknown>> = {
    'order/detail': async (key, id) => (await t.get(`/order/detail/${id}`, { key })).body.order.status,
    'order/get': async (key) => (await t.get('/order/get', { key })).body.order[0].status,
    'a same-key retry': async (key) => {
      const { status, body } = await buy(t, key, product, { idempotency_key: 'later' });
      return { 202: '4', 200: body.order.status }[status];
    },
  };
  for (const [reader, statusBy] of Object.entries(readers)) {
    test(`${reader}: delivered by the first read after 60 s and not before, with order.delivered`, async () => {
      const { key } = await account();
      t.clock.freeze();
      const bought = await buy(t, key, product, { sandbox_scenario: 'deferred', idempotency_key: 'later' });
      const { id, order_id } = bought.body;
      assert.deepEqual([bought.status, bought.body.delivery_reason], [202, 'awaiting_profile']);
      t.clock.advance(60 * SECOND - 1);
      assert.equal(await statusBy(key, id), '4');
      t.clock.advance(MINUTE);
      assert.deepEqual(
        await events(key),
        named(order_id, 'created', 'paid', 'deferred'),
        'reading the log releases nothing',
      );
      assert.equal(await statusBy(key, id), '1');
      assert.deepEqual(await events(key), named(order_id, 'created', 'paid', 'deferred', 'delivered'));
      assert.equal(await balance(key), 990);
    });
  }

  test('only the orders that were read: another one waits for its own reader', async () => {
    const { key } = await account();
    const [a, b] = [
      (await buy(t, key, product, { sandbox_scenario: 'deferred' })).body,
      (await buy(t, key, product, { sandbox_scenario: 'deferred' })).body,
    ];
    const stranger = await account();
    t.clock.advance(2 * MINUTE);
    assert.equal((await t.get(`/order/detail/${a.id}`, { key: stranger.key })).status, 404);
    assert.equal((await t.get(`/order/detail/${b.id}`, { key })).body.order.status, '1');
    const delivered = (await events(key)).filter((event) => event.startsWith('sbx_order.delivered'));
    assert.deepEqual(delivered, named(b.order_id, 'delivered'));
  });

  test('many reads at once, in two processes: delivered once, and every one of them sees it', async () => {
    const { key } = await account();
    const { id, order_id } = (await buy(t, key, product, { sandbox_scenario: 'deferred' })).body;
    t.clock.advance(2 * MINUTE);
    await using other = await t.another();
    const reads = Array.from({ length: 20 }, (_, i) => (i % 2 ? t : other).get(`/order/detail/${id}`, { key }));
    const statuses = (await Promise.all(reads)).map(({ body }) => body.order.status);
    assert.deepEqual(new Set(statuses), new Set(['1']));
    assert.deepEqual(await events(key), named(order_id, 'created', 'paid', 'deferred', 'delivered'));
  });

  test('its usage is not available before, and is after', async () => {
    const { key } = await account();
    const { id } = (await buy(t, key, product, { sandbox_scenario: 'deferred', sandbox_usage: 'active' })).body;
    const detail = async () => (await t.get(`/order/detail/${id}`, { key })).body;
    assert.equal((await detail()).esim.iccid, null);
    t.clock.advance(2 * MINUTE);
    const { iccid } = (await detail()).esim;
    const { status, body } = await t.get(`/order/usage/${iccid}`, { key });
    assert.deepEqual([status, body.usage.total_mb, body.usage.used_mb], [200, 1024, 512]);
    const stranger = await account();
    assert.equal((await t.get(`/order/usage/${iccid}`, { key: stranger.key })).status, 404);
  });
});

test('a purchase cut off between payment and delivery is finished without a reader', async () => {
  const { key } = await account();
  const { provisioning } = t.base.worlds.sandbox;
  const { provision } = provisioning;
  Object.assign(provisioning, { provision: () => Promise.reject(new Error('cut off')) });
  const { status, body } = await buy(t, key, product);
  Object.assign(provisioning, { provision });
  assert.deepEqual([status, body.delivery], [202, 'deferred']);
  t.clock.advance(MINUTE);
  while ((await provisioning.provisionDue()) > 0);
  assert.deepEqual(await events(key), named(body.order_id, 'created', 'paid', 'delivered'));
});

describe('500 deliveries may wait', () => {
  const queued = (key: string) => events(key).then((list) => list.length);
  const fill = (subscription: bigint, waiting: number) =>
    t.base.worlds.sandbox.db.run(sql`
      insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
      select -nextval('webhook_deliveries_id_seq'), ${subscription}, now(), 5 from generate_series(1, ${waiting})`);

  for (const [sandbox_scenario, needed] of [
    ['success', 3],
    ['deferred', 4],
    ['failed', 2],
  ] as const) {
    test(`${sandbox_scenario} needs room for ${needed}: with one less it queues none, ever, and says so`, async () => {
      const { key, subscription } = await account();
      await fill(subscription, 500 - needed + 1);
      const { body } = await buy(t, key, product, { sandbox_scenario });
      assert.deepEqual(body.warnings, ['sandbox_queue_full']);
      t.clock.advance(2 * MINUTE);
      assert.equal((await t.get(`/order/detail/${body.id}`, { key })).status, 200, 'the order exists');
      assert.equal(await queued(key), 0);
    });

    test(`${sandbox_scenario} needs room for ${needed}: with just that all are queued`, async () => {
      const { key, subscription } = await account();
      await fill(subscription, 500 - needed);
      const { body } = await buy(t, key, product, { sandbox_scenario });
      assert.equal(body.warnings, undefined);
      t.clock.advance(2 * MINUTE);
      await t.get(`/order/detail/${body.id}`, { key });
      assert.equal(await queued(key), needed);
    });
  }

  test('room kept for a deferred order is not given away, to a purchase or a test event', async () => {
    const { key, subscription } = await account();
    await fill(subscription, 496);
    const { id } = (await buy(t, key, product, { sandbox_scenario: 'deferred' })).body;
    const next = await buy(t, key, product, { sandbox_scenario: 'failed' });
    assert.deepEqual(next.body.warnings, ['sandbox_queue_full']);
    await t.base.worlds.sandbox.db.run(sql`
      update webhook_subscriptions set status = 1, held_since = null, url = 'https://unreachable.invalid/' where id = ${subscription}`);
    const refused = await t.post('/webhook/test', {}, { key });
    assert.deepEqual([refused.status, refused.body.error, refused.body.limit], [429, 'sandbox_queue_full', 500]);
    await run(t.operator(), `webhook pause ${subscription}`);
    t.clock.advance(2 * MINUTE);
    await t.get(`/order/detail/${id}`, { key });
    assert.ok((await events(key)).some((event) => event.startsWith('sbx_order.delivered')));
  });

  test('only events with a subscription need room, and later ones need it now', async () => {
    const { key, subscription } = await account('order.delivered');
    await fill(subscription, 499);
    assert.equal((await buy(t, key, product)).body.warnings, undefined);
    assert.equal(await queued(key), 1);
    assert.deepEqual((await buy(t, key, product)).body.warnings, ['sandbox_queue_full']);
    assert.equal((await buy(t, key, product, { sandbox_scenario: 'failed' })).body.warnings, undefined);
  });

  test('purchases at the same moment cannot share the last room', async () => {
    const { key, subscription } = await account();
    await fill(subscription, 500 - 3 * 4);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => buy(t, key, product, { sandbox_scenario: 'deferred' })),
    );
    assert.equal(answers.filter(({ body }) => body.warnings === undefined).length, 3);
  });
});

describe('a store that refuses', () => {
  /** Runs with a trigger that refuses rows of one partner in a sandbox table. */
  async function refusing<T>(table: string, partnerId: number, work: () => Promise<T>): Promise<T> {
    const owner = t.base.db;
    await owner.run(sql`
      create function sandbox.refuse() returns trigger language plpgsql as
      'begin if new.partner_id = tg_argv[0]::int then raise exception ''no room on disk''; end if; return new; end'`);
    await owner.run(
      raw(`
      create trigger refuse before insert on sandbox.${table} for each row execute function sandbox.refuse('${partnerId}')`),
    );
    try {
      return await work();
    } finally {
      await owner.run(raw(`drop trigger refuse on sandbox.${table}`));
      await owner.run(sql`drop function sandbox.refuse()`);
    }
  }

  for (const [table, code] of [
    ['movements', 'sandbox_balance_write_failed'],
    ['orders', 'sandbox_order_insert_failed'],
  ] as const) {
    test(`500 ${code}: rolled back whole, and the same key buys once it is mended`, async () => {
      const { key, partnerId } = await account();
      const answer = await refusing(table, partnerId, () => buy(t, key, product, { idempotency_key: 'unlucky' }));
      assert.deepEqual([answer.status, answer.body.error], [500, code]);
      assert.deepEqual([await balance(key), await events(key)], [1000, []]);
      const again = await buy(t, key, product, { idempotency_key: 'unlucky' });
      assert.deepEqual([again.status, again.body.balance], [200, 990]);
    });
  }
});
