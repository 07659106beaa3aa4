import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { watchedUsage } from '../../../../src/domains/sales/usage/next-reading.ts';
import { createWatcher } from '../../../../src/domains/sales/usage/watch.ts';
import { DAY, HOUR, MINUTE, SECOND, timestamp } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import type { StockedApp } from '../../../support/sales/catalog.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { ownEsim, refill, refillShop, shopperIn, withdraw } from '../../../support/sales/refills.ts';
import { bodies, eventIds, queuedEventIds, subscribePaused } from '../../../support/servers/queued-events.ts';

const ESIM = 'esim.activated,esim.usage_high,esim.depleted,esim.expiring,esim.expired';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

const dueAt = (mode: 'live' | 'sandbox', orderId: number) =>
  t.base.worlds[mode].db
    .one<{ at: Date | null }>(sql`select watch_due_at as at from orders where id = ${orderId}`)
    .then(({ at }) => at);

test('usage set makes a reading due at once, and the reading sends the events it triggers, with the Usage resource', async () => {
  const shopper = await shopperIn(t, 'live');
  await subscribePaused(t, shopper.partnerId, 'live', ESIM);
  const esim = await ownEsim(t, shopper, { reference: 'trip 7' });
  await run(t.operator(), `usage set ${esim.iccid} --used 900 --total 1024`);
  const ids = await queuedEventIds(t, shopper.partnerId, 'live', 2);
  assert.deepEqual(ids, [`esim.activated:${esim.iccid}:1`, `esim.usage_high:${esim.iccid}:1`]);
  const [body] = await bodies(t, shopper.partnerId, 'live');
  assert.deepEqual(Object.keys(body), ['event', 'event_id', 'occurred_at', 'iccid', 'order_id', 'reference', 'usage']);
  assert.deepEqual(
    [body.event, body.iccid, body.order_id, body.reference],
    ['esim.activated', esim.iccid, esim.orderId, 'trip 7'],
  );
  assert.match(body.occurred_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: shopper.key })).body;
  assert.deepEqual(body.usage, usage);
  const log = await t.get('/webhook/deliveries?event=esim.usage_high', { key: shopper.key });
  assert.deepEqual(
    log.body.deliveries.map(({ event_id }: { event_id: string }) => event_id),
    [`esim.usage_high:${esim.iccid}:1`],
  );
});

test("a partner's own look at the usage sends the events, too, each once however often and by whomever it is read", async () => {
  await using other = await t.another();
  const shopper = await shopperIn(t, 'live');
  await subscribePaused(t, shopper.partnerId, 'live', ESIM);
  const esim = await ownEsim(t, shopper);
  await run(t.operator(), `usage set ${esim.iccid} --used 1024 --total 1024`);
  const { live } = t.base.worlds;
  const stale = sql`
    update usage_readings set fresh_until = '-infinity', asking_until = '-infinity' where iccid = ${esim.iccid}`;
  for (let round = 0; round < 5; round++) {
    await live.db.run(stale);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? t : other).get(`/order/usage/${esim.iccid}`, { key: shopper.key })),
    );
  }
  assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), [
    `esim.activated:${esim.iccid}:1`,
    `esim.usage_high:${esim.iccid}:1`,
    `esim.depleted:${esim.iccid}:1`,
  ]);
});

test('after a refill esim.usage_high and esim.depleted are sent again, esim.activated is not', async () => {
  const shopper = await shopperIn(t, 'live');
  await subscribePaused(t, shopper.partnerId, 'live', 'esim.activated,esim.depleted');
  const esim = await ownEsim(t, shopper);
  const empty = async (total: number, count: number) => {
    await run(t.operator(), `usage set ${esim.iccid} --used ${total} --total ${total}`);
    return queuedEventIds(t, shopper.partnerId, 'live', count);
  };
  await empty(1024, 2);
  await refill(t, shopper, esim, 'more');
  assert.deepEqual(await empty(3072, 3), [
    `esim.activated:${esim.iccid}:1`,
    `esim.depleted:${esim.iccid}:1`,
    `esim.depleted:${esim.iccid}:2`,
  ]);
});

test('24 hours before its end an active eSIM is expiring, then expired: once per end, and not watched any more', async () => {
  const shopper = await shopperIn(t, 'live');
  await subscribePaused(t, shopper.partnerId, 'live', 'esim.expiring,esim.expired');
  const esim = await ownEsim(t, shopper);
  const set = (at: number) =>
    run(t.operator(), ['usage', 'set', esim.iccid, '--used', '10', '--expires-at', timestamp(at)]);
  await set(t.clock.now() + 25 * HOUR);
  await eventually('it is due when it begins to expire', async () => {
    const at = await dueAt('live', esim.orderId);
    return at !== null && at.getTime() > t.clock.now() + HOUR / 6 && at.getTime() <= t.clock.now() + HOUR + 2000;
  });
  assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), []);
  await set(t.clock.now() + 20 * HOUR);
  assert.deepEqual(await queuedEventIds(t, shopper.partnerId, 'live', 1), [`esim.expiring:${esim.iccid}:1`]);
  await set(t.clock.now() - 5000);
  assert.deepEqual((await queuedEventIds(t, shopper.partnerId, 'live', 2)).slice(1), [`esim.expired:${esim.iccid}:1`]);
  await eventually('nothing more can happen', async () => (await dueAt('live', esim.orderId)) === null);
  await set(t.clock.now() + 22 * HOUR);
  assert.deepEqual((await queuedEventIds(t, shopper.partnerId, 'live', 3)).slice(2), [`esim.expiring:${esim.iccid}:2`]);
});

test('eSIMs of partners without a subscription to their events are not watched, nor are refills and withdrawn eSIMs', async () => {
  const deaf = await shopperIn(t, 'live');
  await subscribePaused(t, deaf.partnerId, 'live', 'order.delivered,account.balance_low');
  const silent = await ownEsim(t, deaf);
  assert.equal(await dueAt('live', silent.orderId), null);
  await run(t.operator(), `usage set ${silent.iccid} --used 1024 --total 1024`);
  assert.equal(await dueAt('live', silent.orderId), null);
  await t.get(`/order/usage/${silent.iccid}`, { key: deaf.key });
  assert.deepEqual(await eventIds(t, deaf.partnerId, 'live'), [`order.delivered:${silent.orderId}:1`]);

  const shopper = await shopperIn(t, 'live');
  await subscribePaused(t, shopper.partnerId, 'live', ESIM);
  const esim = await ownEsim(t, shopper);
  assert.ok(await dueAt('live', esim.orderId));
  const { order_id } = (await refill(t, shopper, esim)).body;
  assert.equal(await dueAt('live', order_id), null);
  await withdraw(t, 'live', esim);
  await t.base.worlds.live.db.run(sql`update orders set watch_due_at = now() where id = ${esim.orderId}`);
  await eventually('it is given up', async () => (await dueAt('live', esim.orderId)) === null);
});

test('a later subscription receives events of earlier eSIMs, but not those of readings before it existed', async () => {
  const shopper = await shopperIn(t, 'live');
  const [read, unread] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
  await run(t.operator(), `usage set ${read.iccid} --used 10`);
  await t.get(`/order/usage/${read.iccid}`, { key: shopper.key });
  const id = await subscribePaused(t, shopper.partnerId, 'live', 'order.test');
  await run(t.operator(), `webhook set ${id} --events ${ESIM}`);
  for (const { orderId } of [read, unread])
    await eventually('it is watched', async () => (await dueAt('live', orderId)) !== null);
  await run(t.operator(), `usage set ${read.iccid} --used 1024 --total 1024`);
  await run(t.operator(), `usage set ${unread.iccid} --used 10`);
  assert.deepEqual((await queuedEventIds(t, shopper.partnerId, 'live', 3)).toSorted(), [
    `esim.activated:${unread.iccid}:1`,
    `esim.depleted:${read.iccid}:1`,
    `esim.usage_high:${read.iccid}:1`,
  ]);
  await run(t.operator(), `webhook delete ${id}`);
  await t.base.worlds.live.db.run(sql`update orders set watch_due_at = now() where id = ${unread.orderId}`);
  await eventually('the eSIM is no longer watched', async () => (await dueAt('live', unread.orderId)) === null);
});

const scripted = {
  not_active: [],
  active: ['activated'],
  depleted: ['activated', 'usage_high', 'depleted'],
  expired: ['activated', 'expired'],
};
for (const [usage, events] of Object.entries(scripted))
  test(`in the sandbox sandbox_usage=${usage} sends ${events.join(', ') || 'nothing'} after the delivery`, async () => {
    const shopper = await shopperIn(t, 'sandbox');
    await subscribePaused(t, shopper.partnerId, 'sandbox', ESIM);
    const esim = await ownEsim(t, shopper, { sandbox_usage: usage });
    const ids = events.map((name) => `sbx_esim.${name}:${esim.iccid}:1`);
    assert.deepEqual(await queuedEventIds(t, shopper.partnerId, 'sandbox', ids.length), ids);
    for (const body of await bodies(t, shopper.partnerId, 'sandbox')) {
      assert.equal(body.livemode, false);
      assert.equal(body.usage.status, usage);
    }
    await eventually('it waits for its end or for nothing', async () => {
      const at = await dueAt('sandbox', esim.orderId);
      return usage === 'not_active' || usage === 'expired'
        ? at === null
        : at !== null && at.getTime() > t.clock.now() + DAY;
    });
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'sandbox'), ids);
  });

test('in the sandbox the test clock and refills move the events', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { partnerId } = shopper;
  await subscribePaused(t, partnerId, 'sandbox', 'esim.expiring,esim.expired,esim.depleted');
  const esim = await ownEsim(t, shopper, { sandbox_usage: 'depleted' });
  assert.deepEqual(await queuedEventIds(t, partnerId, 'sandbox', 1), [`sbx_esim.depleted:${esim.iccid}:1`]);
  const turn = (by: string) => run(t.operator(), `sandbox clock advance --partner ${partnerId} --by ${by}`);
  await turn('150h');
  assert.deepEqual((await queuedEventIds(t, partnerId, 'sandbox', 2)).slice(1), [`sbx_esim.expiring:${esim.iccid}:1`]);
  assert.equal((await refill(t, shopper, esim, 'some')).status, 200);
  await eventually('the refill moved the end', async () => {
    const at = await dueAt('sandbox', esim.orderId);
    return at !== null && at.getTime() > t.clock.now() + 2 * DAY;
  });
  await turn('3d');
  assert.deepEqual((await queuedEventIds(t, partnerId, 'sandbox', 3)).slice(2), [`sbx_esim.expiring:${esim.iccid}:2`]);
  await turn('1d');
  assert.deepEqual((await queuedEventIds(t, partnerId, 'sandbox', 4)).slice(3), [`sbx_esim.expired:${esim.iccid}:1`]);
  const [, , , expired] = await bodies(t, partnerId, 'sandbox');
  assert.ok(Date.parse(expired.occurred_at) > t.clock.now() + 9 * DAY, 'in the time of the account');
  await t.post('/account/sandboxReset', {}, { key: shopper.key });
  const left = await t.base.worlds.sandbox.db.one(sql`
    select count(*)::int as n from esim_events where order_id = ${esim.orderId}`);
  assert.deepEqual(left, { n: 0 });
});

test('where the account has no room for another waiting delivery, the event comes once there is room', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { partnerId } = shopper;
  const id = await subscribePaused(t, partnerId, 'sandbox', 'esim.activated');
  const esim = await ownEsim(t, shopper);
  const { db } = t.base.worlds.sandbox;
  await db.run(sql`
    insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
    select -n, ${id}, 'infinity', 8 from generate_series(1, 500) n`);
  await db.run(sql`
    update orders set script = '{"scenario":"success","usage":"active"}', watch_due_at = now() where id = ${esim.orderId}`);
  await eventually(
    'it was tried',
    async () => ((await dueAt('sandbox', esim.orderId))?.getTime() ?? 0) > t.clock.now() + 1000,
  );
  assert.deepEqual(await eventIds(t, partnerId, 'sandbox'), []);
  await db.run(sql`delete from webhook_queue where delivery_id < 0`);
  // Again and again: a reading that is still under way puts its own due time in place of ours.
  await eventually('the event is queued', async () => {
    await db.run(sql`update orders set watch_due_at = now() where id = ${esim.orderId}`);
    return (await eventIds(t, partnerId, 'sandbox')).length > 0;
  });
  assert.deepEqual(await eventIds(t, partnerId, 'sandbox'), [`sbx_esim.activated:${esim.iccid}:1`]);
});

test('a reading claimed by a process that died is taken by another once the lease has ended', async () => {
  await using quiet = await testApp({ role: 'api' });
  const partnerId = await quiet.partner();
  await subscribePaused(quiet, partnerId, 'live', 'esim.activated');
  const order = await paidOrder(quiet, { partnerId, plan: await testPlan(quiet) });
  const { live } = quiet.base.worlds;
  await live.provisioning.provision(order);
  const { iccid } = await live.db.one<{ iccid: string }>(sql`select iccid from orders where id = ${order.id}`);
  await run(quiet.operator(), `usage set ${iccid} --used 5`);
  const dead = createWatcher(
    { ...live, watchTerms: watchedUsage },
    { clock: quiet.clock, read: () => Promise.reject(new Error('killed')) },
  );
  await assert.rejects(dead.readDue(), /killed/);
  await live.usage.readDue();
  assert.deepEqual(await eventIds(quiet, partnerId, 'live'), [], 'it is leased');
  quiet.clock.advance(5 * MINUTE + SECOND);
  await live.usage.readDue();
  assert.deepEqual(await eventIds(quiet, partnerId, 'live'), [`esim.activated:${iccid}:1`]);
});

test('a supplier is not called faster than it allows, nor repeatedly while it does not answer', async () => {
  await using quiet = await testApp({ role: 'api' });
  const partnerId = await quiet.partner();
  await subscribePaused(quiet, partnerId, 'live', 'esim.activated');
  const plan = await testPlan(quiet);
  for (let n = 0; n < 12; n++) await paidOrder(quiet, { partnerId, plan });
  const { live } = quiet.base.worlds;
  await live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', delivered_at = now(), iccid = '89' || id, provision_due_at = null,
      watch_due_at = ${new Date(quiet.clock.now() - 1)}`);
  const perSecond = 20;
  const asked: number[] = [];
  const watcher = createWatcher(
    { ...live, watchTerms: watchedUsage, suppliers: { of: async () => ({ usagePerSecond: perSecond }) } },
    {
      clock: quiet.clock,
      read: async () => {
        asked.push(performance.now());
        return undefined;
      },
    },
  );
  assert.ok((await watcher.readDue()) >= 12);
  assert.equal(asked.length, 8, 'a supplier that gives no answer eight times is left alone');
  assert.ok((asked[7] ?? 0) - (asked[0] ?? 0) >= 0.9 * (4 / perSecond) * SECOND, 'the second four wait for their turn');
  assert.equal(await watcher.readDue(), 0, 'none is due before its time');
});
