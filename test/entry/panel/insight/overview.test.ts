import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPace } from '../../../../src/domains/insight/figures/read.ts';
import { countChangedDays } from '../../../../src/domains/insight/rollups/sales-by-day.ts';
import { countWaiting } from '../../../../src/domains/sales/order-lists/summaries.ts';
import { requireDaysAt } from '../../../../src/entry/panel/insight/overview.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explaining } from '../../../support/database/explain.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;

const overviewOf = async (ana: Browser, mode = 'live', tz = '') =>
  (await ana.get(`/api/${mode}/overview?tz=${encodeURIComponent(tz)}`)).body;

/** Orders of an hour so long ago, which cost so much together; without others, all of them were delivered. */
async function figure(
  partnerId: number,
  hoursAgo: number,
  orders: number,
  cents: number,
  { failed = 0, cancelled = 0, open = 0, refused = 0 } = {},
  { db } = live,
): Promise<void> {
  const at = new Date(Math.floor(t.clock.now() / HOUR) * HOUR - hoursAgo * HOUR);
  await db.run(sql`
    insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price, cost_micros,
      product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, created_at, paid_at, delivered_at,
      provision_due_at, cancel_status)
    select ${partnerId}, 1, 'esc_00000000000000aa', status, delivery, 'prepaid', 2000, ${Math.floor(cents / orders)}, 0, '1 GB', '1 GB', 1024, 7,
      false, 'FR', 'simulated', 'x', ${at}, case when n <= ${orders} then ${at}::timestamptz end,
      case when status = 1 then ${at}::timestamptz end, case when status = 4 then 'infinity'::timestamptz end,
      case when n <= ${cancelled} then 'cancelled' end
    from generate_series(1, ${orders + refused}::int) as n cross join lateral (
      select case when n > ${orders} or n <= ${cancelled + failed} then 2 when n <= ${cancelled + failed + open} then 4 else 1 end as status
    ) as outcome join (values (1, 'delivered'), (2, 'failed'), (4, 'deferred')) as named (of, delivery) on named.of = status`);
}

async function partner(usd = '100.00') {
  const partnerId = await t.partner();
  await credit(t, partnerId, usd);
  return { partnerId, ana: await signedIn(t, partnerId) };
}

test('today is shown beside the same hours of the same weekday a week ago', async () => {
  const { partnerId, ana } = await partner();
  const hour = new Date(t.clock.now()).getUTCHours();
  await figure(partnerId, 0, 3, 12_00);
  await figure(partnerId, 7 * 24, 2, 5_00);
  // Later that day, and the day before.
  if (hour < 23) await figure(partnerId, 7 * 24 - 1, 50, 50_00);
  await figure(partnerId, 7 * 24 + hour + 1, 70, 70_00);
  const { today, week_ago } = await overviewOf(ana);
  assert.deepEqual(
    [today, week_ago],
    [
      { orders: 3, refused: 0, spent: '12.00' },
      { orders: 2, refused: 0, spent: '5.00' },
    ],
  );
});

test('days begin where the reader is, also across a change of clocks', () => {
  const at = (zone: string, time: string) => {
    const { today, weekAgo, weekAgoUntil } = requireDaysAt(zone, Date.parse(time));
    return [today, weekAgo, weekAgoUntil].map((date) => date.toISOString().slice(0, 16));
  };
  assert.deepEqual(at('', '2026-11-17T02:20:00Z'), ['2026-11-17T00:00', '2026-11-10T00:00', '2026-11-10T03:00']);
  assert.deepEqual(at('Europe/Berlin', '2026-10-26T12:10:00Z'), [
    '2026-10-25T23:00',
    '2026-10-18T22:00',
    '2026-10-19T12:00',
  ]);
  assert.deepEqual(at('America/Los_Angeles', '2026-11-17T07:59:59Z')[0], '2026-11-16T08:00');
  // Midnight at half past an hour: the hour that holds it.
  assert.deepEqual(at('Asia/Kolkata', '2026-11-17T02:20:00Z')[0], '2026-11-16T18:00');
  assert.throws(() => at('Nowhere/Here', '2026-11-17T00:00:00Z'), /time zone/);
});

test('a balance lasts as long as the last 14 days say, and nothing is said from too little', async () => {
  const { partnerId, ana } = await partner('100.00');
  const lasts = async () => (await overviewOf(ana)).lasts_days;
  assert.equal(await lasts(), null);
  await figure(partnerId, 1, 5, 50_00);
  await figure(partnerId, 30, 5, 50_00);
  assert.equal(await lasts(), null);
  await figure(partnerId, 55, 5, 50_00);
  // 150.00 in three days.
  assert.equal(await lasts(), 2);
  await figure(partnerId, 13 * 24, 1, 0);
  // The same in 14 days.
  assert.equal(await lasts(), Math.floor(10_000 / Math.floor(15_000 / 14)));
  await figure(partnerId, 15 * 24, 1_000, 1_000_000_00);
  assert.equal(await lasts(), Math.floor(10_000 / Math.floor(15_000 / 14)));
});

test('what a sandbox sold ahead of the real time is no part of today or of its pace', async () => {
  const { partnerId, ana } = await partner();
  for (const days of [1, 2, 3]) await figure(partnerId, -24 * days, 5, 50_00, {}, sandbox);
  const { today, last_week, lasts_days } = await overviewOf(ana, 'sandbox');
  assert.deepEqual([today.orders, today.spent, last_week.delivered, lasts_days], [0, '0.00', 0, null]);
});

test('the orders of a week are all there: delivered, failed, cancelled, on the way, and those that failed without a charge', async () => {
  const { partnerId, ana } = await partner();
  await figure(partnerId, 2, 9, 90_00, { failed: 1, cancelled: 2, open: 2, refused: 7 });
  const { last_week } = await overviewOf(ana);
  assert.deepEqual(last_week, { orders: 9, refused: 7, delivered: 4, failed: 1, cancelled: 2 });
});

test('delivery covers the last seven days; a developer sees no amounts', async () => {
  const { partnerId, ana } = await partner();
  await figure(partnerId, 2, 10, 10_00, { failed: 1 });
  await figure(partnerId, 8 * 24, 90, 9_00, { failed: 90 });
  const { last_week } = await overviewOf(ana);
  assert.deepEqual(last_week, { orders: 10, refused: 0, delivered: 9, failed: 1, cancelled: 0 });
  const body = await overviewOf(await signedInAs(t, partnerId, 'developer'));
  assert.deepEqual([body.available, body.lasts_days, body.today.spent, body.week_ago.spent], [null, null, null, null]);
  assert.equal(body.today.orders >= 0, true);
});

test('orders that wait longer than ten minutes, and keys that expire soon, are named', async () => {
  const { partnerId, ana } = await partner();
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const key = await t.key(partnerId, 'sandbox');
  await buy(t, key, alias, { sandbox_scenario: 'deferred' });
  assert.equal((await overviewOf(ana, 'sandbox')).waiting, null);
  await t.base.worlds.sandbox.db.run(sql`
    update orders set paid_at = paid_at - interval '11 minutes', provision_due_at = now() + interval '1 day' where partner_id = ${partnerId}`);
  const { waiting } = await overviewOf(ana, 'sandbox');
  assert.deepEqual([waiting.orders, waiting.more], [1, false]);
  await ana.post('/api/keys', { mode: 'live', allow_list: '', name: 'till', expires_on: dayIn(10) });
  await ana.post('/api/keys', { mode: 'live', allow_list: '', name: 'far', expires_on: dayIn(40) });
  const { expiring_keys } = await overviewOf(ana);
  assert.deepEqual(
    expiring_keys.map(({ name }: { name: string }) => name),
    ['till'],
  );
});

const dayIn = (days: number) => new Date(t.clock.now() + days * DAY).toISOString().slice(0, 10);

test('steps check themselves off, and the first live order ends the time of setting up', async () => {
  const { partnerId, ana } = await partner();
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const [first] = [await overviewOf(ana, 'sandbox')];
  assert.deepEqual([first.steps, first.has_sold], [{ key: false, order: false, webhook: false }, false]);
  const key = await t.key(partnerId, 'sandbox');
  await buy(t, key, alias);
  await ana.post('/api/sandbox/inbox');
  await t.base.worlds.sandbox.db.run(sql`
    update webhook_deliveries set status = 'sent' where partner_id = ${partnerId}`);
  const second = await overviewOf(ana, 'sandbox');
  assert.deepEqual([second.steps.key, second.steps.order, second.has_sold], [true, true, false]);
  await buy(t, await t.key(partnerId), alias);
  for (const mode of ['live', 'sandbox']) assert.equal((await overviewOf(ana, mode)).has_sold, true);
  assert.equal((await overviewOf(ana)).orders.length, 1);
});

test('its statements follow indexes', async () => {
  const partnerId = await t.partner();
  const days = requireDaysAt('', t.clock.now());
  const { db, plans } = explaining(live.db);
  await readPace(db, partnerId, days).catch(() => {});
  await countWaiting(db, partnerId, new Date(t.clock.now() - MINUTE));
  assert.match(plans[0] ?? '', /orders_closed_by_week[\s\S]*orders_to_provision_of_partner/);
  assert.match(plans[1] ?? '', /orders_to_provision_of_partner/);
});

test('30 days say what became of each order, and an open incident and unanswered travellers are named', async () => {
  const { partnerId, ana } = await partner();
  await figure(partnerId, 0, 6, 60_00, { failed: 1, cancelled: 2, open: 1, refused: 3 });
  await figure(partnerId, 31 * 24, 5, 50_00);
  while ((await countChangedDays(live.db, t.clock)) > 0);
  const { days, incidents: before } = await overviewOf(ana);
  assert.equal(days.length, 30);
  const { at, ...today } = days.at(-1);
  assert.equal(at.slice(0, 10), new Date(t.clock.now()).toISOString().slice(0, 10));
  assert.deepEqual(today, { orders: 6, refused: 3, delivered: 2, failed: 1, cancelled: 2, spent: '30.00' });
  assert.equal(
    days.reduce((all: number, day: { orders: number }) => all + day.orders, 0),
    6,
  );
  const developer = await signedInAs(t, partnerId, 'developer');
  assert.equal((await overviewOf(developer)).days.at(-1).spent, null);

  assert.deepEqual(before, []);
  const words = ['--title', 'Late deliveries', '--impact', 'minor', '--parts', 'suppliers', '--text', 'We look at it.'];
  const { incident_id } = await run(t.operator(), ['incident', 'write', ...words]);
  const [incident] = (await overviewOf(ana, 'sandbox')).incidents;
  assert.deepEqual(
    [incident.title, incident.impact, incident.status, incident.text, incident.version],
    ['Late deliveries', 'minor', 'investigating', 'We look at it.', 1],
  );
  await run(t.operator(), ['incident', 'resolve', `${incident_id}`, '--text', 'It is over.']);
  assert.deepEqual((await overviewOf(ana)).incidents, []);

  assert.equal((await overviewOf(ana)).help, null);
});
