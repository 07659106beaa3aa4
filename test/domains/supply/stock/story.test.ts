import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { csvOf, type Item, importText, newItems, PLAN, stockPlans } from '../../../support/suppliers/stock-shop.ts';

let t: TestApp;
let key: string;
let product: string;

before(async () => {
  t = await testApp({ config: { provisioning: { budgetMs: 2_000, overdueMs: DAY } } });
  product = await stockPlans(t.base);
  const partnerId = await t.partner();
  key = await t.key(partnerId);
  await credit(t, partnerId, '1000.00');
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

const detail = async (id: string) => (await t.get(`/order/detail/${id}`, { key })).body;
const stateOf = async (iccid: string) => (await run(t.operator(), `stock show ${iccid}`)).state;
const delivered = (id: string) =>
  eventually('the job delivers it', async () => (await detail(id)).order.status === '1');
const refusal = (words: string) => run(t.operator(), words).then(String, ({ code }) => code);

test('an order gets its item with all it has, at the item’s own cost, and no usage', async () => {
  const more = { cost: '2.25', confirmation_code: '4711', msisdn: '+3312345678', apn: 'internet' };
  const [item] = newItems(1, more) as [Item];
  await importText(t, csvOf([item]));
  const bought = await buy(t, key, product);
  assert.equal(bought.body.delivery, 'delivered');
  const { esim } = await detail(bought.body.order_id);
  assert.equal(esim.iccid, item.iccid);
  assert.equal(esim.activationCode, item.activation_code);
  assert.deepEqual([esim.confirmation_code, esim.msisdn], ['4711', '+3312345678']);
  const [charge] = await run(t.operator(), 'supplier charges --supplier depot');
  assert.deepEqual([charge.charged, charge.expected], ['2.250000', '1.800000']);
  const usage = await t.get(`/order/usage/${esim.iccid}`, { key });
  assert.equal(usage.status, 404);
  assert.equal(await stateOf(esim.iccid), 'sold');
  assert.equal(await refusal(`stock discard ${esim.iccid}`), 'item_in_use');
  assert.equal(await refusal(`stock release ${esim.iccid}`), 'item_in_use');
});

test('an order without stock is deferred, and an import makes it due at once instead of at its next try', async () => {
  const orders = [await buy(t, key, product), await buy(t, key, product)].map(({ body }) => body);
  for (const { delivery, order_id } of orders) {
    assert.equal(delivery, 'deferred', order_id);
    // Tried so often that the next try is ten minutes away.
    await t.base.worlds.live.db.run(sql`
      update orders set provision_attempts = 20, provision_due_at = ${new Date(t.clock.now() + 10 * MINUTE)}
      where id = ${order_id}`);
  }
  const [first, second] = newItems(2) as [Item, Item];
  assert.equal((await importText(t, csvOf([first]))).orders_tried, 1, 'as many as there are items');
  await delivered(orders[0].order_id);
  assert.equal((await detail(orders[1].order_id)).order.status, '4');
  await importText(t, csvOf([second]));
  await delivered(orders[1].order_id);
});

test('a refund returns the item; it is sold again only after its release', async () => {
  await importText(t, csvOf(newItems(1)));
  const { order_id } = (await buy(t, key, product)).body;
  const { iccid } = (await detail(order_id)).esim;
  const { body } = await t.post('/order/refund', { order_id }, { key });
  assert.equal(body.refund.status, 'refunded');
  assert.equal(await stateOf(iccid), 'returned');
  const waiting = (await buy(t, key, product)).body;
  assert.equal(waiting.delivery, 'deferred');
  const due = new Date(t.clock.now() + 10 * MINUTE);
  await t.base.worlds.live.db.run(sql`update orders set provision_due_at = ${due} where id = ${waiting.order_id}`);
  await run(t.operator(), `stock release ${iccid}`);
  await delivered(waiting.order_id);
  assert.equal((await detail(waiting.order_id)).esim.iccid, iccid);
  assert.equal(await stateOf(iccid), 'sold');
});

test('a discarded item is not sold until it is released; one taken by an order that was given up can be freed', async () => {
  const [item] = newItems(1) as [Item];
  await importText(t, csvOf([item]));
  await run(t.operator(), `stock discard ${item.iccid}`);
  const { order_id } = (await buy(t, key, product)).body;
  await run(t.operator(), `order fail ${order_id}`);
  await run(t.operator(), `stock release ${item.iccid}`);
  assert.equal(await stateOf(item.iccid), 'available');
  const supplier = await t.base.worlds.live.suppliers.of('depot');
  const taken = await supplier.order({ reference: `wf-live-${order_id}`, plan: PLAN, refillOf: null } as never, 5_000);
  assert.equal(taken.outcome, 'delivered');
  assert.equal(await stateOf(item.iccid), 'sold');
  await run(t.operator(), `stock release ${item.iccid}`);
  assert.equal(await stateOf(item.iccid), 'available');
  await run(t.operator(), `stock discard ${item.iccid}`);
});

test('a low level shows on the console’s home, as a metric and in the overview; expired items do not count', async () => {
  const lowStock = async () => {
    const parts = await t.base.worlds.live.attention(t.clock.now());
    return parts.flatMap((part) => ('alerts' in part ? part.alerts : [])).filter(({ kind }) => kind === 'low_stock');
  };
  const soon = new Date(t.clock.now() + DAY).toISOString().slice(0, 10);
  await importText(t, csvOf([...newItems(2, { expires_at: soon }), ...newItems(1, { expires_at: '' })]));
  assert.equal((await run(t.operator(), `stock set --supplier depot --plan ${PLAN} --low 2`)).is_low, false);
  assert.deepEqual(await lowStock(), []);
  t.clock.advance(3 * DAY);
  const [{ count, of, about } = {}] = (await lowStock()) as { count?: number; of?: string; about?: string }[];
  assert.deepEqual([count, of, about], [1, 'depot', PLAN]);
  const [overview] = await run(t.operator(), 'stock show --supplier depot');
  assert.deepEqual([overview.available, overview.expired, overview.low, overview.is_low], [1, 2, 2, true]);
  const printed = await eventually('the figures are read again', async () => {
    t.clock.advance(10_000);
    const text = await t.base.metrics.print();
    return text.includes('wayfare_stock_items{') && text;
  });
  const value = (state: string) =>
    new RegExp(`^wayfare_stock_items\\{supplier="depot",plan="${PLAN}",state="${state}"\\} (\\d+)$`, 'm').exec(
      printed,
    )?.[1];
  assert.deepEqual(['available', 'expired', 'discarded', 'returned'].map(value), ['1', '2', '1', '0']);
  assert.match(printed, new RegExp(`^wayfare_stock_low_level\\{supplier="depot",plan="${PLAN}"\\} 2$`, 'm'));
  assert.equal((await run(t.operator(), `stock set --supplier depot --plan ${PLAN} --low off`)).low, null);
  assert.deepEqual(await lowStock(), []);
});

test('no code is in the database in plain text, whatever the table, nor in the log', async () => {
  await t.base.worlds.live.supplierLog.flush();
  const tables = await t.base.db.query<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('live', 'sandbox', 'shared')`);
  assert.ok(tables.length > 50);
  // As `pg_dump` writes them: bytes as hex digits.
  const hex = Buffer.from('SECRET').toString('hex');
  for (const { name } of tables) {
    const { found } = await t.base.db.one<{ found: number }>(sql`
      select count(*)::int as found from ${raw(name)} as row where row::text ~ ${`SECRET|${hex}|smdp.depot`}`);
    assert.equal(found, 0, name);
  }
  const { masked } = await t.base.db.one<{ masked: number }>(sql`
    select count(*)::int as masked from live.supplier_calls where supplier = 'depot' and exchanges::text like '%[hidden]%'`);
  assert.ok(masked > 3, 'the calls are on record, with their codes hidden');
  assert.doesNotMatch(t.logged.join(''), /SECRET|smdp\.depot/);
});
