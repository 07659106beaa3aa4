import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { run } from '../../support/program/operator.ts';
import { buy } from '../../support/sales/shop.ts';
import { type FakeZendit, fakeZendit } from '../../support/suppliers/fake-zendit.ts';
import { ZENDIT_REFILL } from '../../support/suppliers/fake-zendit-offers.ts';
import { type SupplierShop, supplierShop } from '../../support/suppliers/supplier-shop.ts';

let t: SupplierShop & { readonly fake: FakeZendit };
before(async () => {
  t = await supplierShop('zendit', fakeZendit, (fake) => ({ zendit: fake.settings }));
});
after(() => t[Symbol.asyncDispose]());

const bought = async () => buy(t, t.key1, await t.alias('one-gb'));
const doneUnder = (orderId: string) =>
  [...t.fake.transactions.values()].filter(
    ({ transactionId, status }) => transactionId.startsWith(`wf-live-${orderId}-`) && status === 'DONE',
  );
const drift = async () => (await proveBooks(t.base.worlds.live.db, () => {})).drift;

test('zendit: imported, bought with a live key, delivered with its activation data, and its usage read', async () => {
  assert.deepEqual([t.counts.plans, t.counts.skipped], [8, 2]);
  const listed = (await run(t.operator(), 'supplier list')).find(
    (one: { supplier: string }) => one.supplier === 'zendit',
  );
  assert.deepEqual([listed.kind, listed.configured], ['zendit', true]);
  const { status, body } = await buy(t, t.key1, await t.alias('one-gb'), { idempotency_key: 'once' });
  assert.deepEqual([status, body.delivery, await t.balance()], [200, 'delivered', 96]);
  const { esim, order } = await t.detail(body.id);
  const [made] = doneUnder(body.id);
  assert.deepEqual([esim.iccid, esim.matching_id], [made?.confirmation.iccid, made?.confirmation.activationCode]);
  assert.equal(order.api_sale_id, made?.transactionId);
  const charged = await t.base.db.one(
    sql`select cost_micros as expected, charged_micros as charged from live.orders where id = ${body.id}`,
  );
  assert.deepEqual(charged, { expected: 1_800_000n, charged: 1_800_000n });
  t.fake.use(esim.iccid);
  const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body;
  assert.deepEqual([usage.status, usage.total_mb, usage.used_mb], ['active', 1_024, 24]);

  const { esims } = t.fake;
  const plans = esims.get(esim.iccid)?.plans ?? [];
  plans.splice(0);
  t.clock.advance(8 * DAY);
  const over = (await t.get(`/order/usage/${esim.iccid}`, { key: t.key1 })).body.usage;
  assert.deepEqual([over.status, over.used_mb], ['expired', 24], 'what was read last, once it is over');
});

test('zendit: an order without funds is deferred and delivered once there are some, under the next id', async () => {
  const before = t.fake.state.balance;
  t.fake.state.balance = 0;
  const { status, body } = await bought();
  assert.deepEqual([status, body.delivery_reason], [202, 'provider_unavailable']);
  t.clock.advance(5 * MINUTE);
  await t.provisionDue();
  assert.equal(doneUnder(body.id).length, 0);
  t.fake.state.balance = before;
  await t.delivered(body.id);
  const [made, ...others] = doneUnder(body.id);
  assert.match(made?.transactionId ?? '', /^wf-live-\d+-\d+-2$/);
  assert.deepEqual(others, []);
});

test('zendit: a purchase whose reply was lost is found within the purchase; one that never arrived is sent again later', async () => {
  t.fake.meet('break', /^POST .*purchases$/);
  const found = await bought();
  assert.deepEqual([found.status, doneUnder(found.body.id).length], [200, 1]);
  t.fake.meet('server_error', /^POST .*purchases$/);
  const lost = await bought();
  assert.equal(lost.status, 202);
  await t.delivered(lost.body.id);
  assert.equal(doneUnder(lost.body.id).length, 1);
});

test('zendit: a transaction that takes long is deferred as awaiting_profile, and one that fails is refunded', async () => {
  t.fake.state.readyAfterMs = 10 * MINUTE;
  const [slow, failing] = [await bought(), await bought()];
  assert.deepEqual([slow.status, slow.body.delivery_reason], [202, 'awaiting_profile']);
  t.fake.state.readyAfterMs = 0;
  const [, last] = [...t.fake.transactions.values()].slice(-2);
  if (last) Object.assign(last, { status: 'FAILED', error: 'PROVIDER_ERROR' });
  await t.delivered(slow.body.id);
  const { order } = await t.detail(failing.body.id);
  assert.equal(order.status, '2');
  assert.deepEqual(await drift(), []);
});

test('zendit: an eSIM is refilled, also when the reply is lost, and once', async () => {
  const { body } = await bought();
  const { iccid } = (await t.detail(body.id)).esim;
  const product_id = await t.refillAlias(ZENDIT_REFILL);
  t.fake.meet('break', /^POST .*purchases$/);
  const refill = await t.post('/purchase/refill', { iccid, product_id }, { key: t.key1 });
  assert.deepEqual([refill.status, refill.body.delivery], [200, 'delivered']);
  assert.equal(doneUnder(refill.body.id).length, 1);
  assert.equal((await t.get(`/order/usage/${iccid}`, { key: t.key1 })).body.usage.total_mb, 3_072);
});

test('zendit: an unused eSIM is refunded there before its money goes back, and one in use is a request', async () => {
  const { body } = await bought();
  const before = await t.balance();
  const refund = (id: string) => t.post('/order/refund', { order_id: id }, { key: t.key1 });
  assert.equal((await refund(body.id)).body.refund?.status, 'refunded');
  assert.equal(await t.balance(), before + 4);
  assert.equal(doneUnder(body.id)[0]?.refund?.status, 'DONE');
  const used = await bought();
  t.fake.use((await t.detail(used.body.id)).esim.iccid);
  assert.equal((await refund(used.body.id)).body.refund?.status, 'requested');
  assert.deepEqual(await drift(), []);
});
