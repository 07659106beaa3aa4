import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPartnerFigures } from '../../../../src/domains/insight/figures/read.ts';
import { addRequestFigures, readRequestFigures } from '../../../../src/domains/insight/figures/requests.ts';
import { sumColumns } from '../../../../src/domains/insight/rollups/rollups.ts';
import { countChangedDays } from '../../../../src/domains/insight/rollups/sales-by-day.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { delivered } from '../../../support/sales/sales.ts';

const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
t.clock.freeze(Date.parse('2026-11-15T14:30:00Z'));
const { live, sandbox } = t.base.worlds;

async function member() {
  const partnerId = await t.partner();
  return { partnerId, ana: await signedIn(t, partnerId) };
}
const count = async () => {
  while ((await countChangedDays(live.db, t.clock)) > 0);
};
const insight = async (ana: Browser, about: string, query = '', mode = 'live') =>
  ana.get(`/api/${mode}/insight/${about}${query}`);

test('orders and spend of the days asked for, by hour, day or month, empty ones included', async () => {
  const { partnerId, ana } = await member();
  const at = (text: string) => ({ deliveredAt: Date.parse(text), salePrice: 250n });
  await delivered(t, partnerId, at('2026-11-14T09:59:59Z'));
  await delivered(t, partnerId, at('2026-11-14T10:00:00Z'));
  await delivered(t, partnerId, at('2026-10-31T23:59:59Z'));
  await count();
  const { body } = await insight(ana, 'orders', '?from=2026-11-14&to=2026-11-15');
  assert.deepEqual([body.per, body.points.length, body.today, body.age_seconds], ['hour', 48, '2026-11-15', 0]);
  assert.deepEqual(
    body.points.filter(({ orders }: { orders: number }) => orders > 0).map(({ at: hour }: { at: string }) => hour),
    ['2026-11-14T09:00:00.000Z', '2026-11-14T10:00:00.000Z'],
  );
  assert.deepEqual(body.total, { orders: 2, refused: 0, delivered: 2, failed: 0, cancelled: 0, average_seconds: 0 });
  assert.deepEqual(body.took[0], { up_to_seconds: 1, orders: 2 });
  const days = (await insight(ana, 'orders')).body;
  assert.deepEqual([days.from, days.to, days.per, days.points.length], ['2026-10-17', '2026-11-15', 'day', 30]);
  assert.equal(days.total.orders, 3);
  assert.deepEqual(
    days.destinations.map(({ code, orders }: { code: string; orders: number }) => [code, orders]),
    [['FR', 3]],
  );
  const months = (await insight(ana, 'spend', '?from=2026-10-31&per=month')).body;
  assert.deepEqual(months.points, [
    { at: '2026-10-01T00:00:00.000Z', charged: '2.50', returned: '0.00', spent: '2.50', margin: null },
    { at: '2026-11-01T00:00:00.000Z', charged: '5.00', returned: '0.00', spent: '5.00', margin: null },
  ]);
  assert.deepEqual([months.total.spent, months.destinations[0].spent], ['7.50', '7.50']);
});

test('no one sees another partner’s figures, and a developer sees no money', async () => {
  const { partnerId, ana } = await member();
  await delivered(t, partnerId, { deliveredAt: t.clock.now() });
  await count();
  assert.equal((await insight(ana, 'orders')).body.total.orders, 1);
  const { ana: stranger } = await member();
  for (const about of ['orders', 'spend', 'requests'])
    assert.doesNotMatch((await insight(stranger, about)).text, /"(orders|requests)":[1-9]|[1-9]\.\d\d/);
  const developer = await signedInAs(t, partnerId, 'developer');
  assert.deepEqual((await insight(developer, 'spend')).status, 403);
  assert.doesNotMatch((await insight(developer, 'orders')).text, /charged|spent|price/);
});

test('days that cannot be are refused with the reason', async () => {
  const { ana } = await member();
  for (const query of [
    '?from=yesterday',
    '?from=2026-02-30',
    '?from=2026-11-15T00:00:00Z',
    '?to=1999-01-01',
    '?from=2026-11-16&to=2026-11-15',
    '?from=2020-01-01',
    '?from=2026-09-01&per=hour',
    '?per=minute',
  ]) {
    const { status, body } = await insight(ana, 'orders', query);
    assert.deepEqual([status, body.error.code], [400, 'invalid_input'], query);
  }
  assert.equal((await insight(ana, 'orders', '?from=2026-11-01&from=2026-11-02')).status, 400);
  assert.equal((await insight(ana, 'orders', '', 'elsewhere')).status, 404);
});

test('the sandbox’s today is that of the test clock', async () => {
  const { partnerId, ana } = await member();
  await run(t.operator(), `sandbox clock advance --partner ${partnerId} --by 40d`);
  assert.equal((await insight(ana, 'orders', '', 'sandbox')).body.today, '2026-12-25');
  assert.equal((await insight(ana, 'orders')).body.today, '2026-11-15');
});

test('figures that were not counted yet say so', async () => {
  const { ana } = await member();
  await sandbox.db.run(sql`delete from sales_by_day_progress`);
  const { body } = await insight(ana, 'orders', '', 'sandbox');
  assert.deepEqual([body.counted_until, body.age_seconds], [null, null]);
  await count();
  t.clock.advance(5 * 60_000);
  assert.equal((await insight(ana, 'orders')).body.age_seconds, 300);
});

test('requests are counted once, by hour, endpoint and status, also when the database was away for a moment', async () => {
  const { partnerId, ana } = await member();
  const { answered } = live.insight;
  const now = t.clock.now();
  answered.count(partnerId, '/order/get', 200, now);
  answered.count(partnerId, '/order/get', 200, now);
  answered.count(partnerId, '/purchase/buy', 402, now - HOUR);
  await t.base.db.run(sql`alter table live.request_figures rename to away`);
  await answered.flush();
  answered.count(partnerId, '/order/get', 200, now);
  await t.base.db.run(sql`alter table live.away rename to request_figures`);
  await answered.flush();
  await answered.flush();
  const { body } = await insight(ana, 'requests', '?per=day');
  assert.deepEqual(body.points.at(-1).statuses, { 200: 3, 402: 1 });
  assert.deepEqual(body.endpoints, [
    { endpoint: '/order/get', requests: 3, errors: 0 },
    { endpoint: '/purchase/buy', requests: 1, errors: 1 },
  ]);
});

test('a year of a busy partner is read off the primary keys, without reading others’ rows', async () => {
  const [busy, other] = [await t.partner(), await t.partner()];
  await t.base.db.run(sql`
    insert into live.partner_sales_by_day (partner_id, day, supplier, destination, ${raw(sumColumns.join(', '))})
    select partner, ${new Date(t.clock.now())}::date - day, 'aurora', 'C' || n, ${raw(sumColumns.map(() => '5').join(', '))}
    from generate_series(0, 375) day, generate_series(1, 40) n, unnest(${[busy, other]}::int[]) partner`);
  await addRequestFigures(
    live.db,
    Array.from({ length: 2_000 }, (_, n) => ({
      partnerId: n % 2 ? busy : other,
      at: new Date(t.clock.now() - n * HOUR),
      endpoint: '/order/get',
      status: 200,
      requests: 1,
    })),
  );
  await t.base.db.run(sql`analyze live.partner_sales_by_day, live.request_figures`);
  const today = Math.floor(t.clock.now() / DAY) * DAY;
  const year = { from: new Date(today - 364 * DAY), to: new Date(today + DAY), per: 'day' } as const;
  for (const [read, most] of [
    [readPartnerFigures, 365 * 40 + 100],
    [readRequestFigures, 2 * 1_000],
  ] as const) {
    const { rowsRead, steps } = await explainReads<unknown>(live.db, (db) => read(db, busy, year));
    assert.ok(rowsRead <= most, `${rowsRead} rows\n${steps.join('\n')}`);
    for (const step of steps) assert.match(step, /_pkey/);
  }
});
