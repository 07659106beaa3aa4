import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, SECOND, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../../support/program/app.ts';
import { paidOrder, testPlan } from '../../../../support/sales/paid-order.ts';
import { catalogKnows } from '../../../../support/sales/shop.ts';

test('order/detail: every field of the contract', async () => {
  await using t = await testApp();
  const plan = await testPlan(t, {
    voice: 100,
    short_info: 'Ready at once',
    fup_kind: 'throttle',
    fup_daily_mb: 2048,
    fup_speed_kbps: 1024,
    operator: {
      title: 'Orange',
      networks: ['Orange F', 'SFR'],
      activation_policy: 'first-usage',
      info: ['LTE'],
      apn_type: 'manual',
      apn_value: 'web',
    },
  });
  await catalogKnows(t, plan.alias);
  const partnerId = await t.partner();
  t.clock.freeze();
  const order = await paidOrder(t, { partnerId, plan });
  await t.base.worlds.live.provisioning.provision(order);
  const { status, body } = await t.get(`/order/detail/${order.id}`, { key: await t.key(partnerId) });
  assert.equal(status, 200);
  assert.deepEqual(body.order, {
    id: String(order.id),
    product_id: plan.alias,
    product_title: '1 GB 7 days',
    title_display: 'France - 1 GB 7 days',
    product_price: '10.00',
    sale_price: '9.00',
    coupon_code: '',
    date: timestamp(t.clock.now()),
    status: '1',
    api_sale_id: 'S1',
    api_sale_code: `wf-live-${order.id}`,
    reference: '',
    networks: ['Orange F', 'SFR'],
    activation_policy: 'first-usage',
    data: '1 GB',
    day: '7',
    is_unlimited: false,
    voice: 100,
    text: null,
    short_info: 'Ready at once',
    fair_use_text: '',
    fup_kind: 'throttle',
    fup_daily_mb: 2048,
    fup_speed_kbps: 1024,
    operator_title: 'Orange',
    operator_image: '',
    country_code: 'FR',
    country_image: 'http://panel.test/flags/fr.svg',
    country_name: 'France',
  });
  const { qrcode_url, share_url, iccid, matching_id, ...esim } = body.esim;
  const code = `LPA:1$rsp.simulated.example$${matching_id}`;
  assert.match(iccid, /^89\d{17}$/);
  assert.deepEqual(esim, {
    qrcode: code,
    lpa: 'rsp.simulated.example',
    smdpAddress: 'rsp.simulated.example',
    activationCode: code,
    confirmation_code: null,
    msisdn: null,
    apn: 'web',
    apn_type: 'manual',
    apn_value: 'web',
    is_roaming: true,
  });
  assert.deepEqual(Object.keys(body.operator_meta).sort(), [
    'activation_policy',
    'apn_type',
    'apn_value',
    'esim_type',
    'info',
    'is_kyc_verify',
    'is_roaming',
    'other_info',
    'plan_type',
    'rechargeability',
    'warning',
  ]);
  assert.deepEqual(body.operator_meta.info, ['LTE']);
  assert.match(qrcode_url, /^http:\/\/panel\.test\/qr\//);
  assert.match(share_url, /^http:\/\/panel\.test\/e\/wft_live-\d+-0-[\w-]{43}$/);
});

test('order/detail says the same about the APN in both blocks: what the eSIM says, or else its plan', async () => {
  await using t = await testApp();
  const partnerId = await t.partner();
  const { orders, provisioning } = t.base.worlds.live;
  const plan = await testPlan(t, { operator: { title: 'Orange', apn_type: 'manual', apn_value: 'web' } });
  await catalogKnows(t, plan.alias);
  const order = await paidOrder(t, { partnerId, plan });
  await provisioning.provision(order);
  const key = await t.key(partnerId);
  const said = async () => {
    const { esim, operator_meta } = (await t.get(`/order/detail/${order.id}`, { key })).body;
    const { esim: again } = (await t.get(`/esim/detail/${esim.iccid}`, { key })).body;
    assert.deepEqual([esim.apn_type, esim.apn_value], [operator_meta.apn_type, operator_meta.apn_value]);
    assert.deepEqual([esim.apn, esim.apn_type, esim.apn_value], [again.apn, again.apn_type, again.apn_value]);
    return [esim.apn, esim.apn_type, esim.apn_value];
  };
  assert.deepEqual(await said(), ['web', 'manual', 'web']);
  const { esim } = (await orders.find(partnerId, order.id)) ?? {};
  for (const [own, expected] of [
    [{ apn: null, apnType: 'automatic', apnValue: null }, [null, 'automatic', null]],
    [{ apn: 'globaldata', apnType: 'manual', apnValue: 'globaldata' }, ['globaldata', 'manual', 'globaldata']],
    [{ apn: 'own', apnType: null, apnValue: 'own' }, ['own', 'manual', 'own']],
    [{ apn: 'one', apnType: 'manual', apnValue: 'two' }, ['two', 'manual', 'two']],
  ] as const) {
    const sealed = t.base.vault.seal(JSON.stringify({ ...esim, ...own }));
    await t.base.worlds.live.db.run(sql`update orders set esim = ${sealed} where id = ${order.id}`);
    assert.deepEqual(await said(), expected);
  }
});

test('order/detail: before delivery every field of the eSIM is null', async () => {
  await using t = await testApp();
  const partnerId = await t.partner();
  const order = await paidOrder(t, { partnerId, plan: await testPlan(t) });
  const { body } = await t.get(`/order/detail/${order.id}`, { key: await t.key(partnerId) });
  assert.equal(body.order.status, '4');
  assert.deepEqual(new Set(Object.values(body.esim)), new Set([null]));
  assert.equal(Object.keys(body.esim).length, 14);
});

test('404 order_not_found: foreign, missing and malformed ids get the same bytes; none at all is 400', async () => {
  await using t = await testApp();
  const plan = await testPlan(t);
  const [mine, theirs] = [await t.partner(), await t.partner()];
  const foreign = await paidOrder(t, { partnerId: theirs, plan });
  const key = await t.key(mine);
  const missing = await t.get('/order/detail/999999', { key });
  assert.deepEqual([missing.status, missing.body.error], [404, 'order_not_found']);
  for (const id of [foreign.id, '0', '-1', '1.5', 'abc', '01001', '9'.repeat(30), "1'--"]) {
    const answer = await t.get(`/order/detail/${encodeURIComponent(String(id))}`, { key });
    assert.deepEqual([answer.status, answer.text], [404, missing.text], String(id));
  }
  const none = await t.get('/order/detail', { key });
  assert.deepEqual([none.status, none.body.error], [400, 'order_id_required']);
});

test('a plan the catalog lost leaves its orders readable', async () => {
  await using t = await testApp();
  const partnerId = await t.partner();
  const plan = { ...(await testPlan(t)), alias: 'esc_ffffffffffffffff' };
  const order = await paidOrder(t, { partnerId, plan });
  const { status, body } = await t.get(`/order/detail/${order.id}`, { key: await t.key(partnerId) });
  assert.equal(status, 200);
  assert.deepEqual([body.operator_meta.plan_type, body.operator_meta.info], [null, []]);
});

test('a deferred sandbox order is delivered by the first read after 60 s, not before', async () => {
  await using t = await testApp();
  const world = t.base.worlds.sandbox;
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  t.clock.freeze();
  const order = await paidOrder(t, { partnerId, plan: await testPlan(t), world, script: { scenario: 'deferred' } });
  const standing = await world.provisioning.provision(order);
  assert.deepEqual([standing.state, standing.reason], ['deferred', 'awaiting_profile']);
  const status = async () => (await t.get(`/order/detail/${order.id}`, { key })).body.order.status;
  const stored = () => world.db.one<{ status: number }>(sql`select status from orders where id = ${order.id}`);
  t.clock.advance(60 * SECOND - 1);
  assert.equal(await status(), '4');
  t.clock.advance(MINUTE);
  assert.equal((await stored()).status, 4);
  assert.equal(await status(), '1');
  const { esim } = (await t.get(`/order/detail/${order.id}`, { key })).body;
  assert.match(esim.iccid, /^89000\d{14}$/);
  assert.match(esim.activationCode, /^LPA:1\$sandbox\.invalid\$/);
});
