import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../../support/sales/paid-order.ts';
import { catalogKnows } from '../../../../support/sales/shop.ts';

/** For all but those that need the first order there is, a clock of their own, or a database that fails. */
const t = await testApp();
after(() => t[Symbol.asyncDispose]());

test('order/get: every field of the contract, strings where it says string', async () => {
  await using t = await testApp();
  const plan = await testPlan(t, { fair_use_text: '1 Mbps after 2 GB a day' });
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await catalogKnows(t, plan.alias);
  t.clock.freeze();
  const order = await paidOrder(t, { partnerId, plan });
  await t.base.worlds.live.provisioning.provision(order);
  const { status, body } = await t.get('/order/get', { key });
  assert.equal(status, 200);
  const [{ esim, ...item }] = body.order;
  assert.deepEqual(item, {
    id: String(order.id),
    product_id: plan.alias,
    product_title: '1 GB 7 days',
    title_display: 'France - 1 GB 7 days',
    product_price: '10.00',
    sale_price: '9.00',
    product_type: 'esim',
    refunded: '0.00',
    date: timestamp(t.clock.now()),
    status: '1',
    api_sale_id: 'S1',
    api_sale_code: `wf-live-${order.id}`,
    reference: '',
    networks: [],
    activation_policy: 'first-usage',
    data: '1 GB',
    day: '7',
    is_unlimited: '',
    country_code: 'FR',
    country_image: 'http://panel.test/flags/fr.svg',
    country_name: 'France',
    fair_use_text: '1 Mbps after 2 GB a day',
    coupon_code: '',
  });
  assert.match(esim.iccid, /^8944538\d{12}$/);
  assert.equal(esim.lpa, 'rsp.simulated.example');
  assert.equal(esim.smdpAddress, esim.lpa);
  assert.equal(esim.activationCode, `LPA:1$${esim.lpa}$${esim.matching_id}`);
  assert.ok(esim.direct_apple_installation_url.endsWith(`carddata=${esim.activationCode}`));
  assert.match(esim.qrcode_url, /^http:\/\/panel\.test\/qr\/live-\d+-[0-9a-f]{64}\.svg$/);
  assert.deepEqual(Object.keys(esim).sort(), [
    'activationCode',
    'direct_apple_installation_url',
    'iccid',
    'lpa',
    'matching_id',
    'qrcode_url',
    'smdpAddress',
  ]);
});

test('order/get: before delivery the texts of the eSIM are empty and its nullable fields null', async () => {
  const partnerId = await t.partner();
  await paidOrder(t, { partnerId, plan: await testPlan(t) });
  const [order] = (await t.get('/order/get', { key: await t.key(partnerId) })).body.order;
  assert.equal(order.status, '4');
  assert.deepEqual([order.api_sale_id, order.api_sale_code], ['', '']);
  assert.deepEqual(order.esim, {
    qrcode_url: '',
    iccid: '',
    lpa: '',
    smdpAddress: '',
    activationCode: '',
    matching_id: null,
    direct_apple_installation_url: null,
  });
});

test('order/get: newest first, `start` is a page, bad paging falls back, limit is clamped to 100', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  assert.deepEqual((await t.get('/order/get', { key })).body.order, []);
  const plan = await testPlan(t);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.unshift(String((await paidOrder(t, { partnerId, plan })).id));
  const listed = async (query: string) =>
    (await t.get(`/order/get${query}`, { key })).body.order.map(({ id }: { id: string }) => id);
  assert.deepEqual(await listed(''), ids.slice(0, 10));
  assert.deepEqual(await listed('?start=2'), ids.slice(10));
  assert.deepEqual(await listed('?limit=5&start=2'), ids.slice(5, 10));
  assert.deepEqual(await listed('?start=99999999999999'), []);
  for (const bad of ['?limit=0', '?limit=-1', '?limit=x', '?limit=1.5', '?start=0', '?limit=5&limit=6'])
    assert.deepEqual(await listed(bad), ids.slice(0, 10), bad);
  assert.deepEqual(await listed('?limit=5000'), ids);
});

test('order/get: failed orders are left out, and stay readable by id', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  const order = await paidOrder(t, { partnerId, plan: await testPlan(t) });
  await run(t.operator(), `order fail ${order.id}`);
  assert.deepEqual((await t.get('/order/get', { key })).body.order, []);
  assert.equal((await t.get(`/order/detail/${order.id}`, { key })).body.order.status, '2');
});

test('order/get: only the caller’s orders, only those of the key’s world', async () => {
  const plan = await testPlan(t);
  const [mine, theirs] = [await t.partner(), await t.partner()];
  await paidOrder(t, { partnerId: theirs, plan });
  assert.deepEqual((await t.get('/order/get', { key: await t.key(mine) })).body.order, []);
  assert.deepEqual((await t.get('/order/get', { key: await t.key(theirs, 'sandbox') })).body.order, []);
});

test('500 order_read_failed, in the sandbox sandbox_order_read_failed: the orders cannot be read', async () => {
  await using t = await testApp();
  const partnerId = await t.partner();
  const keys = { live: await t.key(partnerId), sandbox: await t.key(partnerId, 'sandbox') };
  await t.base.db.run(sql`alter table live.orders rename to hidden`);
  await t.base.db.run(sql`alter table sandbox.orders rename to hidden`);
  for (const path of ['/order/get', '/order/detail/1001']) {
    const live = await t.get(path, { key: keys.live });
    assert.deepEqual([live.status, live.body.error], [500, 'order_read_failed']);
    const sandbox = await t.get(path, { key: keys.sandbox });
    assert.deepEqual([sandbox.status, sandbox.body.error], [500, 'sandbox_order_read_failed']);
  }
});
