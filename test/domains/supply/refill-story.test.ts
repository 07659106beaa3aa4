import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { buy } from '../../support/sales/shop.ts';
import { fakeAiralo } from '../../support/suppliers/fake-airalo.ts';
import { AIRALO_REFILL } from '../../support/suppliers/fake-airalo-packages.ts';
import { fakeEsimAccess } from '../../support/suppliers/fake-esim-access.ts';
import { ESIM_ACCESS_REFILL } from '../../support/suppliers/fake-esim-access-packages.ts';
import { type SupplierShop, supplierShop } from '../../support/suppliers/supplier-shop.ts';

const airaloShop = () =>
  supplierShop('airalo', fakeAiralo, (fake) => ({ airalo: { ...fake.settings, url: fake.url } }));
const esimAccessShop = () => supplierShop('esim-access', fakeEsimAccess, (fake) => ({ esimAccess: fake.settings }));

/** An eSIM bought from this supplier, and what refilling it takes. */
async function soldBy(t: SupplierShop, refillCode: string) {
  const bought = await buy(t, t.key1, await t.alias('one-gb'));
  assert.equal(bought.body.delivery, 'delivered');
  const { iccid } = (await t.detail(bought.body.id)).esim;
  const product_id = await t.refillAlias(refillCode);
  return {
    iccid,
    refill: (more: Record<string, string> = {}) =>
      t.post('/purchase/refill', { iccid, product_id, ...more }, { key: t.key1 }),
    offered: async () => (await t.get(`/esim/refills/${iccid}`, { key: t.key1 })).body,
    usage: async () => (await t.get(`/order/usage/${iccid}`, { key: t.key1 })).body.usage,
    charged: (orderId: string) =>
      t.base.db.one(
        sql`select cost_micros as expected, charged_micros as charged from live.orders where id = ${orderId}`,
      ),
  };
}

test('airalo: an eSIM is refilled, once per key, with the new data in its usage', async () => {
  await using t = await airaloShop();
  const esim = await soldBy(t, AIRALO_REFILL);
  const { refillable, products } = await esim.offered();
  assert.deepEqual([refillable, products.length], [true, 1]);
  const { status, body } = await esim.refill({ idempotency_key: 'refill-1' });
  assert.deepEqual([status, body.delivery, body.iccid], [200, 'delivered', esim.iccid]);
  assert.equal((await esim.refill({ idempotency_key: 'refill-1' })).body.id, body.id);
  assert.equal(t.fake.orders.length, 2);
  assert.deepEqual(await esim.charged(body.id), { expected: 1_800_000n, charged: 1_800_000n });
  assert.equal((await esim.usage()).total_mb, 2048);
  assert.equal(await t.balance(), 92);
});

test('airalo: a refill whose reply was lost and that is listed late is found, and never ordered twice', async () => {
  await using t = await airaloShop();
  const esim = await soldBy(t, AIRALO_REFILL);
  t.fake.state.listedAfterMs = 2 * MINUTE;
  t.fake.meet('break', /topups$/);
  const { status, body } = await esim.refill();
  assert.deepEqual([status, body.delivery], [202, 'deferred']);
  for (let minute = 0; minute < 4; minute++) {
    t.clock.advance(MINUTE);
    await t.provisionDue();
  }
  await t.delivered(body.id);
  assert.equal(t.fake.timesCalled(/topups$/), 1);
  assert.equal((await esim.usage()).total_mb, 2048);
});

test('airalo: a refill of a recycled eSIM fails and is refunded', async () => {
  await using t = await airaloShop();
  const esim = await soldBy(t, AIRALO_REFILL);
  Object.assign(t.fake.usages.get(esim.iccid) ?? {}, { status: 'RECYCLED' });
  const { body } = await esim.refill();
  assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'provider_rejected', 96]);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});

test('esim access: an eSIM is refilled, also when the reply is lost, and once', async () => {
  await using t = await esimAccessShop();
  const esim = await soldBy(t, ESIM_ACCESS_REFILL);
  t.fake.meet('break', /topup$/);
  const { status, body } = await esim.refill();
  assert.deepEqual([status, body.delivery], [200, 'delivered'], 'found within the purchase');
  assert.deepEqual([t.fake.refills.size, t.fake.timesCalled(/topup$/)], [1, 1]);
  assert.equal((await esim.usage()).total_mb, 3072);
  assert.equal(await t.balance(), 90.4);
});

test('esim access: a refill rejected because the cost changed fails and is refunded', async () => {
  await using t = await esimAccessShop();
  const esim = await soldBy(t, ESIM_ACCESS_REFILL);
  for (const refill of t.fake.state.refills) refill.price = 31_000;
  const { body } = await esim.refill();
  assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'provider_rejected', 96.4]);
  assert.equal(t.fake.refills.size, 0);
});
