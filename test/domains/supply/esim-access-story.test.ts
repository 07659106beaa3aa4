import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { run } from '../../support/program/operator.ts';
import { buy } from '../../support/sales/shop.ts';
import { fakeEsimAccess } from '../../support/suppliers/fake-esim-access.ts';
import {
  ESIM_ACCESS_REFILL,
  esimAccessPackages,
  esimAccessRefills,
} from '../../support/suppliers/fake-esim-access-packages.ts';
import { supplierShop } from '../../support/suppliers/supplier-shop.ts';

const openShop = () => supplierShop('esim-access', fakeEsimAccess, (fake) => ({ esimAccess: fake.settings }));

test('esim access: imported, bought with a live key, delivered with its activation data, and its usage read', async () => {
  await using t = await openShop();
  const [listed] = await run(t.operator(), 'supplier list');
  assert.deepEqual([listed.supplier, listed.kind, listed.configured], ['esim-access', 'esim_access', true]);
  const bought = await buy(t, t.key1, await t.alias('one-gb'), { idempotency_key: 'once' });
  assert.deepEqual([bought.status, bought.body.delivery], [200, 'delivered']);
  assert.equal(await t.balance(), 96.4);
  const { esim, order } = await t.detail(bought.body.id);
  const [made] = [...t.fake.orders.values()];
  assert.deepEqual([esim.iccid, esim.smdpAddress], [made?.profile.iccid, 'rsp-eu.redteamobile.com']);
  assert.deepEqual([order.api_sale_id, order.api_sale_code], [made?.orderNo, `wf-live-${bought.body.id}`]);

  const used = {
    esimStatus: 'IN_USE',
    activateTime: '2026-01-01T00:00:00+0000',
    expiredTime: null,
    dataUsage: 24 * 1_048_576,
  };
  Object.assign(made?.profile ?? {}, used);
  const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body;
  assert.deepEqual([usage.status, usage.total_mb, usage.used_mb], ['active', 1024, 24]);
});

test('esim access: the eSIM on the phone comes with the reading, and suspending reaches the supplier', async () => {
  await using t = await openShop();
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  const { iccid } = (await t.detail(body.id)).esim;
  const [made] = t.fake.orders.values();
  assert.ok(made);
  const shown = async () => {
    t.clock.advance(2 * MINUTE);
    await t.get(`/order/usage/${iccid}`, { key: t.key1 });
    return (await t.get(`/esim/detail/${iccid}`, { key: t.key1 })).body.esim;
  };
  assert.equal((await shown()).profile.state, 'released');
  const set = (change: string) => t.post(`/esim/${change}`, { iccid }, { key: t.key1 });
  assert.deepEqual([(await set('suspend')).body.error], ['not_supported'], 'it was never installed');
  Object.assign(made.profile, { esimStatus: 'IN_USE', smdpStatus: 'ENABLED', activateTime: '2026-01-01T00:00:00Z' });
  assert.equal((await shown()).profile.state, 'enabled');
  for (const [change, state, esimStatus] of [
    ['suspend', 'suspended', 'SUSPENDED'],
    ['suspend', 'suspended', 'SUSPENDED'],
    ['resume', 'active', 'IN_USE'],
    ['resume', 'active', 'IN_USE'],
  ] as const) {
    const answer = await set(change);
    assert.deepEqual([answer.status, answer.body.esim?.state], [200, state], change);
    assert.equal(made.profile.esimStatus, esimStatus);
  }
});

test('esim access: a plan by the day is imported for each number of days, sold and delivered; what cannot be sold is reported', async () => {
  await using t = await openShop();
  assert.deepEqual(
    [t.counts.skipped, t.counts.skipped_rows],
    [1, [{ code: 'EURO', reason: 'priced in EUR, not USD' }]],
  );
  const days = await t.base.db.query<{ code: string }>(
    sql`select supplier_plan as code from plans where supplier_plan like 'DAILY%' order by day`,
  );
  assert.deepEqual(
    days.map(({ code }) => code),
    [1, 3, 5, 7, 10, 15, 30].map((day) => `DAILY@${day}d`),
  );
  const alias = await t.alias('DAILY@7d');
  const { product } = (await t.get(`/catalog/product/${alias}`, { key: t.key1 })).body;
  assert.deepEqual([product.title, product.fair_use_text], ['Japan 1 GB a day, 7 days', '1 GB a day.']);
  assert.deepEqual([product.amount, product.day, product.fup_daily_mb, product.price], [7_168, 7, 1_024, 25.2]);
  const bought = await buy(t, t.key1, alias);
  assert.deepEqual([bought.status, bought.body.delivery, await t.balance()], [200, 'delivered', 74.8]);
  const { esim } = await t.detail(bought.body.id);
  const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body;
  assert.equal(usage.total_mb, 7_168);
});

test('esim access: another price than expected is recorded on the order and reported', async () => {
  await using t = await openShop();
  await buy(t, t.key1, await t.alias('one-gb'));
  t.fake.state.charges = 17_500;
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  const found = await run(t.operator(), 'supplier charges');
  assert.deepEqual(
    found.map((one: Record<string, unknown>) => [String(one.order_id), one.expected, one.charged, one.difference]),
    [[body.id, '1.800000', '1.750000', '-0.050000']],
  );
});

test('esim access: an order whose profile takes long is deferred as awaiting_profile and delivered by the job', async () => {
  await using t = await openShop();
  t.fake.state.readyAfterMs = MINUTE;
  const { status, body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.deepEqual([status, body.delivery_reason], [202, 'awaiting_profile']);
  t.clock.advance(2 * MINUTE);
  await t.delivered(body.id);
  assert.equal(t.fake.timesCalled(/order$/), 1);
});

test('esim access: an order rejected because the cost changed fails and is refunded', async () => {
  await using t = await openShop();
  const alias = await t.alias('one-gb');
  for (const sold of t.fake.state.packages) sold.price = 90_000;
  const { body } = await buy(t, t.key1, alias);
  assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'provider_rejected', 100]);
  assert.equal(t.fake.orders.size, 0);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});

test('esim access: after a lost reply the order is found within the purchase, and there is only one', async () => {
  await using t = await openShop();
  t.fake.meet('break', /order$/);
  const { status, body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.deepEqual([status, body.delivery], [200, 'delivered']);
  assert.equal(t.fake.timesCalled(/order$/), 1);
});

test('esim access: after a lost reply without a profile the order is sent again under the same id, and there is only one', async () => {
  await using t = await openShop();
  t.fake.state.readyAfterMs = 2 * MINUTE;
  t.fake.meet('break', /order$/);
  const { body } = await buy(t, t.key1, await t.alias('one-gb'));
  assert.equal(body.delivery, 'deferred');
  t.clock.advance(MINUTE);
  await t.provisionDue();
  t.clock.advance(5 * MINUTE);
  await t.delivered(body.id);
  assert.equal(t.fake.orders.size, 1);
  assert.equal(await t.balance(), 96.4);
  const { supplierOrder } = await t.base.worlds.live.db.one<{ supplierOrder: string }>(sql`
    select supplier_order as "supplierOrder" from orders`);
  assert.equal(supplierOrder, [...t.fake.orders.values()][0]?.orderNo);
});

test('esim access: refills are imported and not listed; a missing one goes off sale, but not while lists cannot be read', async () => {
  await using t = await openShop();
  const refills = () =>
    t.base.db.query(sql`
      select supplier_plan as code, refills, on_sale as "onSale" from plans where refills is not null order by supplier_plan`);
  const [africa, japan] = [
    { code: 'TOPUP_AF1', refills: ['AF1'], onSale: true },
    { code: ESIM_ACCESS_REFILL, refills: ['one-gb'], onSale: true },
  ];
  assert.deepEqual(await refills(), [africa, japan]);
  const bought = await buy(t, t.key1, await t.refillAlias(ESIM_ACCESS_REFILL));
  assert.deepEqual([bought.status, bought.body.error], [400, 'invalid_product']);

  t.fake.state.refillListCode = '900001';
  t.fake.state.packages = esimAccessPackages().filter(({ packageCode }) => packageCode !== 'GL1');
  const kept = await run(t.operator(), 'catalog import esim-access');
  assert.deepEqual([kept.added, kept.off_sale], [0, 1], 'packages are taken from the list all the same');
  assert.deepEqual(await refills(), [africa, japan]);

  t.fake.state.refillListCode = undefined;
  t.fake.state.refills = esimAccessRefills().filter(({ packageCode }) => packageCode === ESIM_ACCESS_REFILL);
  const complete = await run(t.operator(), 'catalog import esim-access');
  assert.deepEqual([complete.added, complete.off_sale], [0, 1]);
  assert.deepEqual(await refills(), [{ ...africa, onSale: false }, japan]);
});
