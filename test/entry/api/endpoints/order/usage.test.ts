import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, SECOND, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../../support/sales/paid-order.ts';
import { catalogKnows } from '../../../../support/sales/shop.ts';

async function delivered(t: TestApp) {
  const partnerId = await t.partner();
  const plan = await testPlan(t, { fair_use_text: 'fair' });
  await catalogKnows(t, plan.alias);
  const order = await paidOrder(t, { partnerId, plan });
  await t.base.worlds.live.provisioning.provision(order);
  const { iccid } = await t.base.worlds.live.db.one<{ iccid: string }>(sql`
    select iccid from orders where id = ${order.id}`);
  return { partnerId, plan, order, iccid, key: await t.key(partnerId) };
}

test('order/usage: every field of the contract; not active yet', async () => {
  await using t = await testApp();
  t.clock.freeze();
  const { order, iccid, key } = await delivered(t);
  const { status, body } = await t.get(`/order/usage/${iccid}`, { key });
  assert.equal(status, 200);
  assert.deepEqual(body.usage, {
    iccid,
    sale_id: Number(order.id),
    title: '1 GB 7 days',
    status: 'not_active',
    tone: 'ok',
    total_mb: 1024,
    used_mb: 0,
    remaining_mb: 1024,
    percent_remaining: 100,
    is_unlimited: false,
    fair_use_text: 'fair',
    activated_at: null,
    expires_at: null,
    days_left: null,
    fetched_at: timestamp(t.clock.now()),
  });
});

test('order/usage: figures follow the supplier; `usage set` is seen at once', async () => {
  await using t = await testApp();
  t.clock.freeze();
  const { iccid, key } = await delivered(t);
  const read = async () => (await t.get(`/order/usage/${iccid}`, { key })).body.usage;
  assert.equal((await read()).status, 'not_active');
  await run(t.operator(), `usage set ${iccid} --used 900`);
  const active = await read();
  assert.deepEqual(
    [active.status, active.tone, active.used_mb, active.remaining_mb, active.percent_remaining, active.days_left],
    ['active', 'warning', 900, 124, 12, 7],
  );
  assert.deepEqual(
    [active.activated_at, active.expires_at],
    [timestamp(t.clock.now()), timestamp(t.clock.now() + 7 * DAY)],
  );
  await run(t.operator(), `usage set ${iccid} --used 900 --total 4096`);
  assert.deepEqual([(await read()).percent_remaining, (await read()).tone], [78, 'ok']);
  await run(t.operator(), `usage set ${iccid} --used 4096`);
  assert.deepEqual([(await read()).status, (await read()).tone], ['depleted', 'danger']);
  const past = timestamp(t.clock.now() - DAY).replace(' ', 'T');
  await run(t.operator(), `usage set ${iccid} --used 1 --expires-at ${past}Z`);
  assert.deepEqual([(await read()).status, (await read()).days_left], ['expired', 0]);
  await assert.rejects(run(t.operator(), 'usage set 8944538999999999994 --used 1'), { code: 'esim_not_found' });
});

test('a reading is served for 60 to 120 seconds, by every process, without asking the supplier again', async () => {
  await using t = await testApp();
  await using other = await t.another();
  t.clock.freeze();
  const { iccid, key } = await delivered(t);
  const used = async (app: TestApp) => (await app.get(`/order/usage/${iccid}`, { key })).body.usage.used_mb;
  assert.equal(await used(t), 0);
  await t.base.db.run(sql`update simulated.orders set used_mb = 5, activated_at = now()`);
  t.clock.advance(60 * SECOND);
  assert.deepEqual([await used(t), await used(other)], [0, 0]);
  t.clock.advance(60 * SECOND);
  assert.deepEqual([await used(t), await used(other)], [5, 5]);
});

test('one question at a time per ICCID: 100 reads at once in two processes ask the supplier once', async () => {
  await using t = await testApp();
  await using other = await t.another();
  const { iccid, key } = await delivered(t);
  let asked = 0;
  for (const app of [t, other]) {
    const supplier = await app.base.worlds.live.suppliers.of('aurora');
    const { usage } = supplier;
    supplier.usage = async (...args) => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return usage(...args);
    };
  }
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => (i % 2 ? t : other).get(`/order/usage/${iccid}`, { key })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(asked, 1);
});

test('404 usage_not_available: silent supplier, foreign, unknown and malformed ICCID alike; none at all is 400', async () => {
  await using t = await testApp();
  const { iccid, key } = await delivered(t);
  const stranger = await t.key(await t.partner());
  const unknown = await t.get('/order/usage/8944538999999999994', { key });
  assert.deepEqual([unknown.status, unknown.body.error], [404, 'usage_not_available']);
  const foreign = await t.get(`/order/usage/${iccid}`, { key: stranger });
  assert.deepEqual([foreign.status, foreign.text], [404, unknown.text]);
  assert.equal((await t.get('/order/usage/not-an-iccid', { key })).status, 404);
  const supplier = await t.base.worlds.live.suppliers.of('aurora');
  const { usage } = supplier;
  supplier.usage = async () => ({ outcome: 'unavailable', reason: 'time-out' });
  assert.equal((await t.get(`/order/usage/${iccid}`, { key })).text, unknown.text);
  supplier.usage = usage;
  assert.equal((await t.get(`/order/usage/${iccid}`, { key })).status, 200, 'asked again as soon as it answers');
  const none = await t.get('/order/usage', { key });
  assert.deepEqual([none.status, none.body.error], [400, 'iccid_required']);
});

test('sandbox usage plays what the purchase asked for', async () => {
  await using t = await testApp();
  const world = t.base.worlds.sandbox;
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  const plan = await testPlan(t);
  const played: Record<string, unknown> = {};
  for (const usage of ['not_active', 'active', 'depleted', 'expired']) {
    const order = await paidOrder(t, { partnerId, plan, world, script: { scenario: 'success', usage } });
    await world.provisioning.provision(order);
    const { esim } = (await t.get(`/order/detail/${order.id}`, { key })).body;
    assert.match(esim.iccid, /^89000/);
    const { body } = await t.get(`/order/usage/${esim.iccid}`, { key });
    played[usage] = [body.usage.status, body.usage.total_mb, body.usage.used_mb, body.usage.tone, body.livemode];
    if (usage === 'expired') assert.ok(body.usage.expires_at < timestamp(t.clock.now()));
  }
  assert.deepEqual(played, {
    not_active: ['not_active', 1024, 0, 'ok', false],
    active: ['active', 1024, 512, 'ok', false],
    depleted: ['depleted', 1024, 1024, 'danger', false],
    expired: ['expired', 1024, 512, 'danger', false],
  });
});

test('readings of many eSIMs are taken paced, kept, and missing where there is none', async () => {
  await using t = await testApp();
  const { order, iccid } = await delivered(t);
  await run(t.operator(), `usage set ${iccid} --used 10`);
  const readings = await t.base.worlds.live.usage.readings([order.id, 999_999n]);
  assert.deepEqual([...readings.keys()], [order.id]);
  assert.equal(readings.get(order.id)?.usedMb, 10);
});
