import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { SILENT_ORDERS } from '../../../../src/domains/supply/health/breaker.ts';
import { DAY, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { until } from '../../../support/servers/receiver.ts';

const BUDGET_MS = 2_000;
const quick = { config: { provisioning: { budgetMs: BUDGET_MS, overdueMs: DAY } } };

const said = (t: TestApp, text: string) => t.logged.filter((line) => line.includes(text)).length;
const gauge = async (t: TestApp) =>
  /^wayfare_silent_suppliers (\d+)$/m.exec((await t.get('/metrics', { host: 'panel' })).text)?.[1];

/** Orders of a plan that is silent, as many as it takes, all at once. */
async function silence(t: TestApp, partnerId: number): Promise<{ speak(): Promise<unknown> }> {
  const plan = await testPlan(t);
  const behave = (behaviour: string) => run(t.operator(), `supplier simulate ${plan.alias} --behaviour ${behaviour}`);
  await behave('timeout');
  const orders = await Promise.all(Array.from({ length: SILENT_ORDERS }, () => paidOrder(t, { partnerId, plan })));
  const { provisioning } = t.base.worlds.live;
  for (const { reason } of await Promise.all(orders.map((order) => provisioning.provision(order))))
    assert.equal(reason, 'provider_unavailable');
  return { speak: () => behave('deliver') };
}

test('a supplier that left five orders unanswered is not waited for: 202 at once, paid, and delivered once later', async () => {
  await using t = await testApp(quick);
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  assert.equal(await gauge(t), '0');
  const { speak } = await silence(t, partnerId);
  assert.deepEqual([await gauge(t), said(t, 'a supplier does not answer')], ['1', 1]);

  const { status, body } = await buy(t, key, alias, { idempotency_key: 'while-silent' });
  assert.deepEqual([status, body.delivery, body.delivery_reason], [202, 'deferred', 'provider_unavailable']);
  const unasked = await t.base.db.maybe(sql`select from simulated.orders where reference = ${`wf-live-${body.id}`}`);
  assert.equal(unasked, undefined, 'the supplier was neither asked nor waited for');
  const { due } = await t.base.worlds.live.db.one<{ due: Date | null }>(sql`
    select provision_due_at as due from orders where id = ${body.id}`);
  assert.ok(due, 'the order stays due');

  await speak();
  const open = () =>
    t.base.worlds.live.db.one<{ orders: number }>(sql`select count(*)::int as orders from orders where status = 4`);
  await until(async () => {
    t.clock.advance(5 * SECOND);
    await t.base.worlds.live.provisioning.provisionDue();
    return (await open()).orders === 0;
  });
  assert.deepEqual([await gauge(t), said(t, 'a supplier answers again')], ['0', 1]);
  const calls = await t.base.db.query<{ calls: number }>(sql`select calls from simulated.orders`);
  assert.deepEqual(
    calls.map((row) => row.calls),
    Array.from({ length: SILENT_ORDERS + 1 }, () => 1),
    'nothing was ordered twice',
  );
  const again = await buy(t, key, alias, { idempotency_key: 'while-silent' });
  assert.deepEqual([again.status, again.body.delivery, again.body.id], [200, 'delivered', body.id]);
  assert.deepEqual((await proveBooks(t.base.worlds.live.db, () => {})).drift, []);
});

test('an order whose answer was lost while the supplier fell silent is found later, not ordered again', async () => {
  await using t = await testApp(quick);
  const partnerId = await t.partner();
  const plan = await testPlan(t);
  const lost = await paidOrder(t, { partnerId, plan });
  const supplier = await t.base.worlds.live.suppliers.of('aurora');
  await supplier.order({ ...lost, reference: `wf-live-${lost.id}`, plan: lost.supplierPlan }, SECOND);
  const { speak } = await silence(t, partnerId);
  const standing = await t.base.worlds.live.provisioning.provision(lost);
  assert.deepEqual([standing.state, standing.reason], ['deferred', 'provider_unavailable']);
  await speak();
  const state = () =>
    t.base.worlds.live.db.one<{ status: number }>(sql`select status from orders where id = ${lost.id}`);
  await until(async () => {
    t.clock.advance(5 * SECOND);
    await t.base.worlds.live.provisioning.provisionDue();
    return (await state()).status === 1;
  });
  const { calls } = await t.base.db.one<{ calls: number }>(sql`
    select calls from simulated.orders where reference = ${`wf-live-${lost.id}`}`);
  assert.equal(calls, 1);
});

test("another supplier's orders go through meanwhile", async () => {
  await using t = await testApp(quick);
  const partnerId = await t.partner();
  await silence(t, partnerId);
  await t.base.db.run(sql`insert into suppliers (slug, title, kind) values ('beacon', 'Beacon', 'simulated')`);
  const order = await paidOrder(t, { partnerId, plan: await testPlan(t), supplier: 'beacon' });
  assert.equal((await t.base.worlds.live.provisioning.provision(order)).state, 'delivered');
});

test('a supplier that answers, if only that it cannot, is asked every time', async () => {
  // No job of its own: every try here is the test's.
  await using t = await testApp({ ...quick, role: 'panel' });
  const partnerId = await t.partner();
  const plan = await testPlan(t);
  for (let i = 0; i < SILENT_ORDERS + 2; i++)
    await t.base.worlds.live.provisioning.provision(await paidOrder(t, { partnerId, plan, supplier: 'gone' }));
  assert.equal(said(t, 'supplier gone is not configured'), SILENT_ORDERS + 2);
  assert.deepEqual(t.base.worlds.live.provisioning.silentSuppliers(), []);
});
