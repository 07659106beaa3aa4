import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { DAY, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { readAttention } from '../../../src/worlds/alerts.ts';
import { run } from '../../support/program/operator.ts';
import { buy, catalogKnows } from '../../support/sales/shop.ts';
import { fakeEsimGo } from '../../support/suppliers/fake-esim-go.ts';
import { ESIM_GO_ONE, ESIM_GO_TWO } from '../../support/suppliers/fake-esim-go-bundles.ts';
import { supplierShop } from '../../support/suppliers/supplier-shop.ts';

/** Without a markup nothing is on sale: eSIM Go names no retail prices. */
async function openShop() {
  const t = await supplierShop('esim-go', fakeEsimGo, (fake) => ({
    esimGo: fake.settings,
    provisioning: { budgetMs: MINUTE, overdueMs: DAY },
  }));
  await run(t.operator(), 'supplier set esim-go --markup 50');
  await run(t.operator(), 'catalog import esim-go');
  const aliasOf = async (code: string) =>
    (await t.base.db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = ${code}`)).alias;
  return {
    ...t,
    aliasOf,
    async buyOne() {
      const alias = await aliasOf(ESIM_GO_ONE);
      await catalogKnows(t, alias);
      return buy(t, t.key1, alias);
    },
  };
}

const ORDER = /orders transaction$/;

test('esim go: imported, priced by the markup, bought, its usage read, refilled and withdrawn', async () => {
  await using t = await openShop();
  const [listed] = await run(t.operator(), 'supplier list');
  assert.deepEqual([listed.supplier, listed.kind, listed.configured], ['esim-go', 'esim_go', true]);
  const bought = await t.buyOne();
  assert.deepEqual([bought.status, bought.body.delivery], [200, 'delivered']);
  assert.equal(await t.balance(), 96.58);
  const { esim, order } = await t.detail(bought.body.id);
  const [made] = t.fake.orders.values();
  assert.deepEqual([esim.iccid, esim.smdpAddress], [made?.esim.iccid, 'rsp.example.com']);
  assert.equal(order.api_sale_id, made?.orderReference);
  const usage = async () => (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body.usage;
  assert.deepEqual([(await usage()).status, (await usage()).total_mb], ['not_active', 1024]);

  t.clock.advance(3 * SECOND);
  const product_id = await t.aliasOf(`refill:${ESIM_GO_TWO}`);
  const refilled = await t.post('/purchase/refill', { iccid: esim.iccid, product_id }, { key: t.key1 });
  assert.deepEqual([refilled.status, refilled.body.delivery], [200, 'delivered']);
  t.clock.advance(10 * MINUTE);
  assert.equal((await usage()).total_mb, 3072);
  assert.equal(t.fake.orders.size, 2);

  t.clock.advance(3 * SECOND);
  const second = await t.buyOne();
  const { body } = await t.post('/order/refund', { order_id: second.body.id }, { key: t.key1 });
  assert.equal(body.refund?.status, 'refunded');
  const third = [...t.fake.orders.values()].at(-1);
  assert.deepEqual(
    third?.esim.assignments.map(({ bundleState }) => bundleState),
    ['Revoked'],
  );
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});

test('esim go: after a lost reply the order is found within the purchase, and there is only one', async () => {
  await using t = await openShop();
  t.fake.meet('break', ORDER);
  const { status, body } = await t.buyOne();
  assert.deepEqual([status, body.delivery], [200, 'delivered']);
  assert.equal(t.fake.orders.size, 1);
});

test('esim go: an order that never arrived is sent again a quarter of an hour later, once', async () => {
  await using t = await openShop();
  t.fake.meet('vanish', ORDER);
  const { status, body } = await t.buyOne();
  assert.deepEqual([status, body.delivery_reason], [202, 'provider_unavailable']);
  t.clock.advance(5 * MINUTE);
  await t.provisionDue();
  assert.equal(t.fake.timesCalled(ORDER), 1);
  await t.delivered(body.id);
  assert.equal(t.fake.orders.size, 1);
});

test('esim go: an order that cannot be told from another waits for a person, and the order and the home page say so', async () => {
  await using t = await openShop();
  t.fake.meet('break', ORDER);
  t.fake.state.listedAfterMs = 10 * SECOND;
  const { body } = await t.buyOne();
  assert.equal(body.delivery, 'deferred');
  const byHand = t.fake.take(t.fake.bundleNamed(ESIM_GO_ONE) as never);
  t.clock.advance(31 * MINUTE);
  await t.provisionDue();
  assert.notEqual((await t.detail(body.id)).order.status, '1');
  await t.base.worlds.live.supplierLog.flush();
  const calls = await t.base.worlds.live.supplierLog.ofOrder(BigInt(body.id));
  assert.match(calls.at(-1)?.reason ?? '', /may be 2 orders at eSIM Go .* waits for the operator$/);
  const attention = await readAttention(t.base.worlds.live.db, t.clock.now(), { hasSeller: true });
  const orders = attention.flatMap((one) => ('alerts' in one && one.part === 'orders' ? one.alerts : []));
  assert.deepEqual(
    orders.map(({ kind, count }) => [kind, count]),
    [['stuck_orders', 1]],
  );
  // The operator marks the eSIM that is ours, in eSIM Go's portal.
  const { reference } = await t.base.db.one<{ reference: string }>(sql`select reference from esim_go_orders`);
  const ours = [...t.fake.orders.values()].find((one) => one !== byHand);
  Object.assign(ours?.esim ?? {}, { customerRef: reference });
  await t.delivered(body.id);
  assert.equal((await t.detail(body.id)).esim.iccid, ours?.esim.iccid);
});

test('esim go: a bundle that has become more expensive is not bought', async () => {
  await using t = await openShop();
  const alias = await t.aliasOf(ESIM_GO_ONE);
  await catalogKnows(t, alias);
  for (const bundle of t.fake.state.bundles) bundle.price = 9;
  const { body } = await buy(t, t.key1, alias);
  assert.deepEqual([body.delivery, body.delivery_reason, body.balance], ['failed', 'provider_rejected', 100]);
  assert.equal(t.fake.orders.size, 0);
});
