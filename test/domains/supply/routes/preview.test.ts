import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pastSales } from '../../../../src/domains/sales/order-lists/past-sales.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explaining } from '../../../support/database/explain.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, eventually, type StockedApp, stockedApp } from '../../../support/sales/catalog.ts';
import { buy, credit } from '../../../support/sales/shop.ts';

let t: StockedApp;
let own: string;
let other: string;
let dear: string;

const cli = (line: string) => run(t.operator(), line);
const behave = (alias: string, behaviour: string) => cli(`supplier simulate ${alias} --behaviour ${behaviour}`);
const buys = async (count: number) => {
  for (let i = 0; i < count; i += 1) await buy(t, t.key1, own);
};

/** Of its own supplier: three delivered, two refused, and one from before the time that is looked at. */
before(async () => {
  const plan = (code: string, cost: string) => entry({ code, cost, price: '10.00' });
  t = await stockedApp([
    batchOf([plan('own', '4.00')], { slug: 'aurora' }),
    batchOf([plan('other', '3.50')], { slug: 'borealis' }),
    batchOf([plan('dear', '11.00')], { slug: 'cirrus' }),
  ]);
  [own, other, dear] = (await Promise.all(['own', 'other', 'dear'].map((code) => t.alias(code)))) as [
    string,
    string,
    string,
  ];
  await credit(t, t.partner1, '1000.00');
  await buys(1);
  await t.base.worlds.live.db.run(sql`update orders set created_at = created_at - interval '31 days'`);
  await buys(3);
  await behave(own, 'refuse');
  await buys(2);
  await behave(own, 'deliver');
});
after(() => t[Symbol.asyncDispose]());

test('a dry run says which orders would have gone elsewhere and at what cost, and changes nothing', async () => {
  const { route, preview } = await cli(`route set ${own} --alternates ${dear},${other} --dry-run`);
  assert.deepEqual(
    [route.source, route.alternates.map((one: { supplier: string }) => one.supplier)],
    ['set', ['cirrus', 'borealis']],
  );
  // Those that were refused, by the one that costs at most what the partner paid.
  assert.deepEqual(
    [preview.orders, preview.is_complete, preview.elsewhere, preview.failed_then, preview.compared],
    [5, true, 2, 2, 0],
  );
  assert.deepEqual(
    preview.to.map((one: { supplier: string; orders: number; cost: string }) => [one.supplier, one.orders, one.cost]),
    [['borealis', 2, '3.500000']],
  );
  const [first] = preview.examples;
  assert.deepEqual(
    [first.was, first.from_supplier, first.to_supplier, first.to_product_id, first.to_cost],
    ['failed', 'aurora', 'borealis', other, '3.500000'],
  );
  const allowed = await cli(`route set ${own} --alternates ${dear} --max-cost 12 --dry-run`);
  assert.deepEqual(allowed.preview.to[0].supplier, 'cirrus');
  const cheapest = await cli(`route set ${own} --alternates ${other} --prefer cheapest --dry-run`);
  assert.deepEqual(
    [cheapest.preview.elsewhere, cheapest.preview.compared, cheapest.preview.cost_then, cheapest.preview.cost_now],
    [5, 3, '12.000000', '10.500000'],
  );
  assert.deepEqual(await cli('route list'), []);
  await assert.rejects(cli(`route clear ${own} --dry-run`), { code: 'route_not_found' });
  await assert.rejects(cli(`route set ${own} --alternates esc_0123456789abcdef --dry-run`), {
    code: 'product_not_found',
  });
});

test('automatic routes are tried for the plans they would be for', async () => {
  const all = (await cli('route auto on --prefer cheapest --dry-run')).preview;
  assert.deepEqual([all.orders, all.elsewhere, all.to[0].supplier], [5, 5, 'borealis']);
  const others = (await cli('route auto on --supplier borealis --dry-run')).preview;
  assert.deepEqual([others.orders, others.elsewhere], [0, 0]);
  assert.deepEqual(await cli('route auto off'), []);
});

test('without the route, orders delivered by another supplier would have been delivered by their own or not at all', async () => {
  await cli(`route set ${own} --alternates ${other}`);
  await behave(own, 'refuse');
  await eventually(async () => assert.equal((await buy(t, t.key1, own)).body.delivery, 'delivered'));
  const refused = (await cli(`route clear ${own} --dry-run`)).preview;
  assert.deepEqual([refused.nobody, refused.elsewhere], [1, 0]);
  await behave(own, 'deliver');
  await cli(`route set ${own} --alternates ${other} --prefer cheapest`);
  await eventually(async () => {
    const { body } = await buy(t, t.key1, own);
    assert.equal((await cli(`order show ${body.order_id}`)).supplier.name, 'borealis');
  });
  const cheaper = (await cli(`route clear ${own} --dry-run`)).preview;
  assert.deepEqual([cheaper.nobody, cheaper.to[0].supplier, cheaper.to[0].orders], [1, 'aurora', 1]);
});

test('reads a plan’s orders by the index of each partner, and all along their key', async () => {
  const { db, plans } = explaining(t.base.worlds.live.db);
  const since = new Date(t.clock.now() - 30 * DAY);
  const idless = { ...db, one: async () => ({ first: 1n, end: null }) } as typeof db;
  await pastSales(idless, since, own);
  await pastSales(idless, since, undefined);
  assert.match(plans[0] ?? '', /orders_closed_of_product/);
  assert.match(plans[2] ?? '', /orders_pkey/);
});
