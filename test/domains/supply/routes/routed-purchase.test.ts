import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { SILENT_ORDERS } from '../../../../src/domains/supply/health/breaker.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, eventually, type StockedApp, stockedApp } from '../../../support/sales/catalog.ts';
import { buy, credit } from '../../../support/sales/shop.ts';

const BUDGET_MS = 600;
let t: StockedApp;
let own: string;
let other: string;
let dear: string;

const cli = (line: string) => run(t.operator(), line);
const behave = (alias: string, behaviour: string) => cli(`supplier simulate ${alias} --behaviour ${behaviour}`);
const refused = (line: string, code: string) => assert.rejects(cli(line), { code });

before(async () => {
  const plan = (code: string, cost: string, more = {}) => entry({ code, cost, price: '10.00', ...more });
  t = await stockedApp(
    [
      batchOf([plan('own', '4.00'), plan('own-refill', '1.00', { refills: ['nothing'] })], { slug: 'aurora' }),
      batchOf([plan('other', '3.50', { amount: 2048 }), plan('small', '1.00', { amount: 512 })], { slug: 'borealis' }),
      batchOf([plan('dear', '11.00')], { slug: 'cirrus' }),
    ],
    { config: { provisioning: { budgetMs: BUDGET_MS, overdueMs: DAY } } },
  );
  [own, other, dear] = (await Promise.all(['own', 'other', 'dear'].map((code) => t.alias(code)))) as [
    string,
    string,
    string,
  ];
  await credit(t, t.partner1, '10000.00');
});
after(() => t[Symbol.asyncDispose]());

const bought = async () => {
  const { body } = await buy(t, t.key1, own);
  return { body, shown: await cli(`order show ${body.order_id}`), id: String(body.order_id) };
};
const attemptsOf = (shown: { attempts: Record<string, unknown>[] }) =>
  shown.attempts.map(({ supplier, reference, outcome, reason }) => [supplier, reference, outcome, reason]);
const booked = async (id: string) =>
  (
    await t.base.db.query<{ reference: string; plan: string }>(sql`
      select reference, plan from simulated.orders where reference like ${`wf-live-${id}%`} and not refused order by id`)
  ).map(({ reference, plan }) => `${reference} ${plan}`);

suite('a route', () => {
  test('is set, shown, listed and cleared, and names only what is at least as good', async () => {
    const set = await cli(`route set ${own} --alternates ${other},${dear} --min-margin 12.5 --prefer cheapest`);
    assert.deepEqual(
      [
        set.min_margin,
        set.max_cost,
        set.prefer,
        set.source,
        set.alternates.map((one: { supplier: string }) => one.supplier),
      ],
      ['12.50', null, 'cheapest', 'set', ['borealis', 'cirrus']],
    );
    assert.deepEqual(
      (await cli('route list')).map((one: { product_id: string }) => one.product_id),
      [own],
    );
    const small = await t.alias('small');
    await refused(`route set ${own} --alternates ${small}`, 'alternate_worse');
    const forced = await cli(`route set ${own} --alternates ${small} --force`);
    assert.deepEqual(forced.alternates[0].lacks, ['data']);
    await refused(`route set ${own} --alternates ${await t.alias('own-refill')}`, 'invalid_route');
    await refused(`route set ${own} --alternates ${own}`, 'invalid_route');
    await refused(`route set ${own} --alternates esc_0123456789abcdef`, 'product_not_found');
    await cli(`catalog product set ${small} --on-sale false`);
    await refused(`route set ${own} --alternates ${small} --force`, 'alternate_off_sale');
    await cli(`catalog product set ${small} --on-sale auto`);
    await cli(`route clear ${own}`);
    await refused(`route clear ${own}`, 'route_not_found');
    await refused(`route show ${own}`, 'route_not_found');
    await cli(`route set ${own} --alternates ${other}`);
  });

  test('is suggested by what other suppliers sell, cheapest first, and taken by itself if that is on', async () => {
    await cli(`route clear ${own}`);
    const suggested = await cli(`route suggest ${own}`);
    assert.deepEqual(
      suggested.map((one: { product_id: string }) => one.product_id),
      [other, dear],
    );
    assert.deepEqual(await cli('route suggest --supplier borealis --destination JP'), []);
    await refused('route suggest --supplier nobody', 'supplier_not_found');
    const on = await cli('route auto on --supplier aurora --prefer cheapest');
    assert.deepEqual(on, [{ supplier: 'aurora', auto: 'on', prefer: 'cheapest' }]);
    const shown = await cli(`route show ${own}`);
    assert.deepEqual([shown.source, shown.prefer, shown.alternates.length], ['auto', 'cheapest', 2]);
    await refused(`route show ${other}`, 'route_not_found');
    assert.deepEqual(await cli('route auto off'), []);
  });
});

suite('a purchase', () => {
  // The process is notified a moment later: buy until it knows the route.
  beforeEach(async () => {
    for (const alias of [other, dear]) await behave(alias, 'deliver');
    await behave(own, 'refuse');
    await cli('route auto off');
    await cli(`route set ${own} --alternates ${other}`);
    await eventually(async () => {
      const { shown, id } = await bought();
      assert.deepEqual(attemptsOf(shown), refusedThenDelivered(id));
    });
    await behave(own, 'deliver');
  });
  const refusedThenDelivered = (id: string) => [
    ['aurora', `wf-live-${id}`, 'refused', 'plan not available'],
    ['borealis', `wf-live-${id}-2`, 'delivered', ''],
  ];
  test('that its supplier refuses is delivered by the next one, under a reference of its own, and follows it', async () => {
    await behave(own, 'refuse');
    const before = await cli('supplier list');
    const { body, shown, id } = await bought();
    assert.equal(body.delivery, 'delivered');
    assert.deepEqual(attemptsOf(shown), refusedThenDelivered(id));
    assert.deepEqual(
      [shown.supplier.name, shown.supplier.plan, shown.supplier.reference, shown.cost, shown.product_id, shown.data],
      ['borealis', 'other', `wf-live-${id}-2`, '3.500000', own, '1 GB'],
    );
    assert.deepEqual(await booked(id), [`wf-live-${id}-2 borealis/other`]);
    assert.equal((await cli(`order find wf-live-${id}-2`))[0].order_id, BigInt(id));
    const usage = await t.get(`/order/usage/${shown.iccid}`, { key: t.key1 });
    assert.equal(usage.body.usage.total_mb, 2048, 'read where it was delivered');
    const lost = (list: { supplier: string; lost_to_others: number }[]) =>
      list.find(({ supplier }) => supplier === 'aurora')?.lost_to_others ?? 0;
    assert.equal(lost(await cli('supplier list')), lost(before) + 1);
    const refund = await t.post('/order/refund', { order_id: id }, { key: t.key1 });
    assert.equal(refund.body.refund.status, 'refunded', 'withdrawn where it was delivered');
    assert.match(
      await t.base.metrics.print(),
      /wayfare_routed_orders_total\{from="aurora",to="borealis",reason="refused"\} \d/,
    );
  });

  test('fails only when all have refused it, with its money back', async () => {
    await behave(own, 'refuse');
    await behave(other, 'refuse');
    const { body, shown, id } = await bought();
    assert.equal(body.delivery, 'failed');
    assert.deepEqual(
      shown.attempts.map((one: { outcome: string }) => one.outcome),
      ['refused', 'refused'],
    );
    assert.equal(shown.money.length, 2);
    assert.deepEqual(await booked(id), []);
  });

  test('never goes on after a pending order', async () => {
    await behave(own, 'delay');
    const { body, shown } = await bought();
    assert.deepEqual([body.delivery, shown.attempts.length, shown.attempts[0].outcome], ['deferred', 1, 'pending']);
  });

  test('is not tried elsewhere while its outcome is unknown; the job finds out and then asks the next', async () => {
    await behave(own, 'timeout');
    const { body, id } = await bought();
    assert.equal(body.delivery, 'deferred');
    assert.deepEqual(await booked(id), [`wf-live-${id} aurora/own`]);
    await t.base.db.run(sql`update simulated.orders set refused = true where reference = ${`wf-live-${id}`}`);
    await behave(own, 'deliver');
    t.clock.advance(MINUTE);
    await eventually(async () => assert.equal((await cli(`order show ${id}`)).delivery, 'delivered'));
    assert.deepEqual(await booked(id), [`wf-live-${id}-2 borealis/other`]);
  });

  test('is not sent to an alternate that costs more than the partner paid, unless the limit says so', async () => {
    await behave(own, 'refuse');
    await cli(`route set ${own} --alternates ${dear}`);
    await eventually(async () => assert.equal((await bought()).body.delivery, 'failed'));
    await cli(`route set ${own} --alternates ${dear} --max-cost 11`);
    await eventually(async () => assert.equal((await bought()).shown.supplier.name, 'cirrus'));
  });

  test('starts with the cheapest if the route prefers that, under the first reference', async () => {
    await cli(`route set ${own} --alternates ${other} --prefer cheapest`);
    await eventually(async () => assert.equal((await bought()).shown.supplier.name, 'borealis'));
    const { shown, id } = await bought();
    assert.deepEqual(attemptsOf(shown), [
      ['aurora', null, 'passed_over', 'cheaper'],
      ['borealis', `wf-live-${id}`, 'delivered', ''],
    ]);
  });

  test('skips a supplier whose balance does not cover the cost', async () => {
    const balance = (micros: bigint | null) =>
      t.base.db.run(sql`
        update suppliers set balance_micros = ${micros}, balance_at = ${new Date(t.clock.now())} where slug = 'aurora'`);
    await balance(3_999_999n);
    await eventually(async () => assert.equal((await bought()).shown.supplier.name, 'borealis'));
    const { shown, id } = await bought();
    assert.deepEqual(attemptsOf(shown)[0], ['aurora', null, 'passed_over', 'balance_low']);
    await behave(other, 'refuse');
    const last = await bought();
    assert.deepEqual(attemptsOf(last.shown).at(-1), [
      'borealis',
      `wf-live-${last.id}`,
      'refused',
      'plan not available',
    ]);
    assert.deepEqual(attemptsOf(last.shown)[0], ['aurora', `wf-live-${last.id}-2`, 'delivered', '']);
    assert.deepEqual(await booked(id), [`wf-live-${id} borealis/other`]);
    await balance(null);
  });

  test('takes suggestions by itself where that is on', async () => {
    await cli(`route clear ${own}`);
    await behave(own, 'refuse');
    await eventually(async () => assert.equal((await bought()).body.delivery, 'failed'));
    await cli('route auto on');
    await eventually(async () => assert.equal((await bought()).shown.supplier.name, 'borealis'));
  });

  test('is not offered what a supplier that is off sells, and others do not deliver from it', async () => {
    const onSale = async () =>
      (await cli('supplier list')).find((one: { supplier: string }) => one.supplier === 'borealis').on_sale;
    const before = await onSale();
    assert.equal((await cli('supplier set borealis --off')).on_sale, 0);
    await eventually(async () => assert.equal((await buy(t, t.key1, other)).body.error, 'product_not_found'));
    await behave(own, 'refuse');
    await eventually(async () => assert.equal((await bought()).body.delivery, 'failed'));
    assert.equal((await cli('supplier set borealis --on')).on_sale, before);
    assert.ok(before > 0);
    await eventually(async () => assert.equal((await bought()).shown.supplier.name, 'borealis'));
    assert.equal((await buy(t, t.key1, other)).body.delivery, 'delivered');
  });

  test('does not call a supplier that does not answer, and the next one gets the first reference', async () => {
    await behave(own, 'timeout');
    await Promise.all(Array.from({ length: SILENT_ORDERS }, bought));
    const { body, shown, id } = await bought();
    assert.equal(body.delivery, 'delivered');
    assert.deepEqual(attemptsOf(shown), [
      ['aurora', null, 'passed_over', 'breaker_open'],
      ['borealis', `wf-live-${id}`, 'delivered', ''],
    ]);
  });
});

test('the figures of every supplier are those of the orders it delivered, also of orders counted on their way', async () => {
  await eventually(async () => {
    const rows = await t.base.worlds.live.db.query<{ supplier: string; counted: bigint; real: bigint }>(sql`
      select supplier, counted.cost as counted, delivered.cost as real from (
        select supplier, sum(cost_micros)::bigint as cost from sales_by_day group by 1 having sum(delivered) > 0) as counted
      full join (
        select supplier, sum(cost_micros)::bigint as cost from orders where status in (1, 4) group by 1
      ) as delivered using (supplier)`);
    for (const { counted, real } of rows) assert.equal(counted, real);
    assert.ok(rows.length >= 2);
  });
});
