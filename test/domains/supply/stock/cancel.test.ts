import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { csvOf, type Item, importText, newItems, PLAN, stockPlans } from '../../../support/suppliers/stock-shop.ts';

let t: TestApp;
let key: string;
let product: string;
before(async () => {
  t = await testApp({ role: 'api' });
  product = await stockPlans(t.base);
  const partnerId = await t.partner();
  key = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

const cancel = async (order_id: string) => (await t.post('/order/cancel', { order_id }, { key })).body.cancel.status;
const detail = async (id: string) => (await t.get(`/order/detail/${id}`, { key })).body;

test('an order that waits for stock is cancelled at once, and an item that comes later is not taken for it', async () => {
  const { order_id } = (await buy(t, key, product)).body;
  assert.equal(await cancel(order_id), 'cancelled');
  const [item] = newItems(1) as [Item];
  await importText(t, csvOf([item]));
  t.clock.advance(MINUTE);
  await t.base.worlds.live.provisioning.provisionDue();
  assert.equal((await run(t.operator(), `stock show ${item.iccid}`)).state, 'available');
  await run(t.operator(), `stock discard ${item.iccid}`);
});

test('an item that an order took before its process died is available again once the order is cancelled', async () => {
  const { live } = t.base.worlds;
  const { order_id } = (await buy(t, key, product)).body;
  const [item] = newItems(1) as [Item];
  await importText(t, csvOf([item]));
  // The job claims it, takes the item, and dies.
  await live.db.run(sql`
    update orders set provision_attempts = provision_attempts + 1, ordered_at = now(), provision_due_at = now() + interval '5 seconds'
    where id = ${order_id}`);
  const supplier = await live.suppliers.of('depot');
  await supplier.order({ reference: `wf-live-${order_id}`, plan: PLAN, refillOf: null } as never, 5_000);
  assert.equal((await run(t.operator(), `stock show ${item.iccid}`)).state, 'sold');
  assert.equal(await cancel(order_id), 'requested');
  t.clock.advance(MINUTE);
  await live.provisioning.provisionDue();
  const shown = await detail(order_id);
  assert.deepEqual([shown.order.status, shown.cancel.status, shown.esim.iccid], ['2', 'cancelled', null]);
  const { state, reference } = await run(t.operator(), `stock show ${item.iccid}`);
  assert.deepEqual([state, reference], ['available', null]);
  // The next buyer gets it.
  const next = (await buy(t, key, product)).body;
  assert.equal((await detail(next.order_id)).esim.iccid, item.iccid);
});
