import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { buy } from '../../support/sales/shop.ts';
import { fakeAiralo } from '../../support/suppliers/fake-airalo.ts';
import { AIRALO_REFILL, airaloPlaces } from '../../support/suppliers/fake-airalo-packages.ts';
import { supplierShop } from '../../support/suppliers/supplier-shop.ts';

const openShop = () => supplierShop('airalo', fakeAiralo, (fake) => ({ airalo: { ...fake.settings, url: fake.url } }));

test('airalo: imported, bought with a live key, delivered with its activation data, and its usage read', async () => {
  await using t = await openShop();
  assert.deepEqual([t.counts.supplier, t.counts.plans], ['airalo', t.counts.added]);
  const [listed] = await run(t.operator(), 'supplier list');
  assert.deepEqual([listed.supplier, listed.kind, listed.configured], ['airalo', 'airalo', true]);

  const bought = await buy(t, t.key1, await t.alias('one-gb'), { idempotency_key: 'once' });
  assert.deepEqual([bought.status, bought.body.delivery], [200, 'delivered']);
  assert.equal(await t.balance(), 96);
  const { esim, order } = await t.detail(bought.body.id);
  const [made] = t.fake.orders;
  assert.deepEqual(
    [esim.iccid, esim.smdpAddress, esim.matching_id],
    [made?.iccid, 'lpa.airalo.com', `TEST-${made?.id}`],
  );
  assert.deepEqual([order.api_sale_id, order.api_sale_code], [String(made?.id), `wf-live-${bought.body.id}`]);

  Object.assign(t.fake.usages.get(esim.iccid) ?? {}, { status: 'ACTIVE', remaining: 1000 });
  const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body;
  assert.deepEqual([usage.status, usage.total_mb, usage.used_mb], ['active', 1024, 24]);

  await buy(t, t.key1, await t.alias('one-gb'), { idempotency_key: 'once' });
  assert.equal(t.fake.orders.length, 1);
});

test('airalo: a refill is imported with the packages it can be added to, and is not sold as an eSIM', async () => {
  await using t = await openShop();
  const { refills, onSale } = await t.base.db.one<{ refills: string[]; onSale: boolean }>(sql`
    select refills, on_sale as "onSale" from plans where supplier_plan = ${AIRALO_REFILL}`);
  assert.deepEqual([refills.includes('one-gb'), refills.includes('discover-7days-1gb'), onSale], [true, false, true]);
  const { status, body } = await buy(t, t.key1, await t.refillAlias(AIRALO_REFILL));
  assert.deepEqual([status, body.error], [400, 'invalid_product']);
  assert.equal(t.fake.orders.length, 0);
});

test('airalo: what it charged is on the order, and another price than expected is reported', async () => {
  await using t = await openShop();
  const charged = (orderId: string) =>
    t.base.db.one(
      sql`select cost_micros as expected, charged_micros as charged from live.orders where id = ${orderId}`,
    );
  const differences = () => run(t.operator(), 'supplier charges --supplier airalo');
  const asExpected = await buy(t, t.key1, await t.alias('one-gb'));
  assert.deepEqual(await charged(asExpected.body.id), { expected: 1_800_000n, charged: 1_800_000n });
  assert.deepEqual(await differences(), []);

  t.fake.state.charges = 2.05;
  // The reply is lost, so the price is read from the list of orders, where it is text.
  t.fake.meet('break', /^POST .*orders$/);
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.equal(body.delivery, 'delivered');
  assert.deepEqual(await charged(body.id), { expected: 1_800_000n, charged: 2_050_000n });
  const [found, ...more] = await differences();
  assert.deepEqual(more, []);
  assert.deepEqual(
    [String(found.order_id), found.supplier_plan, found.expected, found.charged, found.difference],
    [body.id, 'one-gb', '1.800000', '2.050000', '0.250000'],
  );
  const reported = t.logged.filter((line) => line.includes('charged another price'));
  assert.equal(reported.length, 1);
  assert.match(reported[0] ?? '', /"level":"warn".*"expected":"1\.800000","charged":"2\.050000"/);
  assert.match(
    await t.base.metrics.print(),
    /^wayfare_charge_differences_total\{supplier="airalo",direction="higher"\} 1$/m,
  );
});

test('airalo: an account with a discount is charged the amount paid', async () => {
  await using t = await openShop();
  t.fake.state.pricing = { model: 'discount_pricing', discount_percentage: 10 };
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  const row = await t.base.db.one(sql`select charged_micros as charged from live.orders where id = ${body.id}`);
  assert.deepEqual(row, { charged: 3_600_000n });
});

test('airalo: a rejected order fails and is refunded', async () => {
  await using t = await openShop();
  const { body } = await buy(t, t.key1, await t.alias('test-out-of-stock-7days-1gb'));
  assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'provider_rejected', 100]);
  assert.equal(t.fake.orders.length, 0);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});

test('airalo: an order whose reply was lost and that is listed late is found, and never placed again', async () => {
  await using t = await openShop();
  t.fake.state.listedAfterMs = 2 * MINUTE;
  t.fake.meet('break', /orders$/);
  const { status, body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.deepEqual([status, body.delivery_reason], [202, 'provider_unavailable']);
  assert.equal(t.fake.orders.length, 1);
  for (let minute = 0; minute < 4; minute++) {
    t.clock.advance(MINUTE);
    await t.provisionDue();
  }
  await t.delivered(body.id);
  assert.equal(t.fake.orders.length, 1, 'one order at Airalo');
  assert.equal(t.fake.timesCalled(/POST .*orders/), 1);
  assert.equal(await t.balance(), 96);
});

test('airalo: a request that never arrived is sent again once that is certain', async () => {
  await using t = await openShop();
  t.fake.meet('server_error', /orders$/);
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.equal(body.delivery, 'deferred');
  t.clock.advance(MINUTE);
  await t.provisionDue();
  assert.equal(t.fake.timesCalled(/POST .*orders/), 1, 'it may still appear');
  t.clock.advance(HOUR);
  await t.delivered(body.id);
  assert.equal(t.fake.orders.length, 1);
});

/** Lets the job try again for a day. */
async function tryForADay(t: Awaited<ReturnType<typeof openShop>>): Promise<void> {
  for (let hour = 0; hour < 24; hour++) {
    t.clock.advance(HOUR);
    await t.provisionDue();
  }
}

test('airalo: an order that comes back without our reference is never placed again and waits for the operator', async () => {
  await using t = await openShop();
  t.fake.state.withoutDescription = true;
  const { status, body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.deepEqual([status, body.delivery], [202, 'deferred']);
  await tryForADay(t);
  assert.equal(t.fake.orders.length, 1, 'bought once');
  assert.ok(t.logged.some((line) => /"level":"error".*came back without our reference/.test(line)));
  assert.ok(t.logged.some((line) => /is order 583747.*waits for the operator/.test(line)));
  // The operator has it corrected at Airalo.
  const { paidAt } = await t.base.worlds.live.db.one<{ paidAt: Date }>(sql`
    select paid_at as "paidAt" from orders where id = ${BigInt(body.id)}`);
  for (const made of t.fake.orders) made.description = `wf-live-${body.id}-${Math.floor(paidAt.getTime() / SECOND)}`;
  t.clock.advance(HOUR);
  await t.delivered(body.id);
});

test('airalo: if replies and references are lost, an order is placed twice at most and then waits for the operator', async () => {
  await using t = await openShop();
  t.fake.state.withoutDescription = true;
  t.fake.meet('break', /^POST .*orders$/, 100);
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.equal(body.delivery, 'deferred');
  await tryForADay(t);
  assert.equal(t.fake.orders.length, 2);
  assert.ok(t.logged.some((line) => /"level":"error".*was ordered twice.*waits for the operator/.test(line)));
});

test('airalo: too many calls defer the order, and the next try places it', async () => {
  await using t = await openShop();
  t.fake.meet('rate_limit', /orders$/);
  const { status, body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.deepEqual([status, body.delivery_reason], [202, 'provider_unavailable']);
  t.clock.advance(MINUTE);
  await t.delivered(body.id);
  assert.equal(t.fake.orders.length, 1);
});

test('airalo: a second import keeps the operator’s names and takes missing plans off sale', async () => {
  await using t = await openShop();
  await t.base.db.run(sql`update destinations set title = 'U.S.A.', slug = 'usa' where code = 'US'`);
  t.fake.state.places = airaloPlaces().filter(({ slug }) => slug !== 'europe');
  const counts = await run(t.operator(), 'catalog import airalo');
  assert.deepEqual([counts.added, counts.off_sale], [0, 1]);
  const us = await t.base.db.one(sql`select title, slug, region from destinations where code = 'US'`);
  assert.deepEqual(us, { title: 'U.S.A.', slug: 'usa', region: 'north-america' });
});

test('airalo: one bad row of the list is skipped, reported, and its plan goes off sale', async () => {
  await using t = await openShop();
  t.fake.state.places = JSON.parse(JSON.stringify(airaloPlaces()).replace(/("id":"one-gb",.*?)"day":7/, '$1"day":0'));
  const counts = await run(t.operator(), 'catalog import airalo');
  assert.equal(counts.skipped, 1);
  assert.deepEqual(counts.skipped_rows, [{ code: 'one-gb', reason: 'day must be >= 1' }]);
  assert.deepEqual([counts.added, counts.off_sale], [0, 1]);
});

test('airalo: without credentials its plans wait, with one line in the log, and nothing is imported', async () => {
  await using shop = await openShop();
  await using t = await testApp({ url: shop.base.url, secret: shop.base.config.secret ?? '' });
  const alias = await shop.alias('one-gb');
  for (let n = 0; n < 2; n++) {
    const { status, body } = await buy(t, shop.key1, alias);
    assert.deepEqual([status, body.delivery_reason], [202, 'provider_unavailable']);
  }
  assert.equal(
    t.logged.filter((line) => line.includes('"level":"error"') && line.includes('not configured')).length,
    1,
  );
  const [listed] = await run(t.operator(), 'supplier list');
  assert.equal(listed.configured, false);
  await assert.rejects(run(t.operator(), 'catalog import airalo'), {
    code: 'supplier_unavailable',
    message: 'airalo did not return its plans: supplier airalo is not configured',
  });
});
