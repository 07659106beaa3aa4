import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import { setLimits, spender } from '../../../../support/sales/limits.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, pausedSubscription } from '../../../../support/sales/shop.ts';

const MODES: readonly Mode[] = ['live', 'sandbox'];
const markOf = (mode: Mode) => (mode === 'sandbox' ? sandbox : {});

let t: TestApp;
let product: string;
let refill: string;
before(async () => {
  t = await testApp({ config: { provisioning: { budgetMs: 1_000, overdueMs: DAY } } });
  const plan = await testPlan(t);
  product = plan.alias;
  refill = (await testPlan(t, { refills: [plan.code], price: 6 })).alias;
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

const batch = (key: string, quantity: number, more: Record<string, string> = {}) =>
  t.post('/purchase/batch', { items: JSON.stringify([{ product_id: product, quantity }]), ...more }, { key });

for (const mode of MODES) {
  test(`${mode}: a price above max_price is refused with both amounts, records nothing and sends nothing; the key stays free`, async () => {
    const { key, partnerId } = await spender(t, mode);
    await pausedSubscription(t, partnerId, undefined, mode);
    const before = await counts(t, mode);
    const answer = await buy(t, key, product, { idempotency_key: 'k', max_price: '9.99' });
    refused(answer, 'price_changed', { partner_price: 10, max_price: 9.99, ...markOf(mode) });
    assert.deepEqual(await counts(t, mode), before);
    const bought = await buy(t, key, product, { idempotency_key: 'k', max_price: '10' });
    assert.equal(bought.body.order.sale_price, '10.00');
  });

  test(`${mode}: an equal or lower price is charged as it is; a refill has a ceiling, too`, async () => {
    const { key } = await spender(t, mode);
    const { order_id } = (await buy(t, key, product, { max_price: '10.0' })).body;
    const { iccid } = (await t.get(`/order/detail/${order_id}`, { key })).body.esim;
    const add = (max_price: string) => t.post('/purchase/refill', { iccid, product_id: refill, max_price }, { key });
    refused(await add('5.99'), 'price_changed', { partner_price: 6, max_price: 5.99, ...markOf(mode) });
    assert.equal((await add('1000')).body.order.sale_price, '6.00');
  });

  test(`${mode}: max_total is the ceiling of a batch; its refusal names total and max_total and leaves nothing`, async () => {
    const { key } = await spender(t, mode);
    const before = await counts(t, mode);
    const answer = await batch(key, 3, { idempotency_key: 'b', max_total: '29.99' });
    refused(answer, 'price_changed', { total: 30, max_total: 29.99, ...markOf(mode) });
    assert.deepEqual(await counts(t, mode), before);
    assert.equal((await batch(key, 3, { idempotency_key: 'b', max_total: '30' })).body.charged, 30);
  });

  test(`${mode}: a replay answers the recorded order whatever max_price says, but a malformed one is refused`, async () => {
    const { key } = await spender(t, mode);
    const first = await buy(t, key, product, { idempotency_key: 'r', max_price: '10' });
    const again = await buy(t, key, product, { idempotency_key: 'r', max_price: '0.01' });
    assert.equal(again.body.order_id, first.body.order_id);
    refused(await buy(t, key, product, { idempotency_key: 'r', max_price: 'ten' }), 'invalid_max_price', markOf(mode));
    const placed = await batch(key, 2, { idempotency_key: 'rb' });
    assert.equal((await batch(key, 2, { idempotency_key: 'rb', max_total: '1' })).body.batch_id, placed.body.batch_id);
    const malformed = await batch(key, 2, { idempotency_key: 'rb', max_total: '1e3' });
    refused(malformed, 'invalid_max_total', markOf(mode));
  });
}

test('a ceiling is digits, optionally with a point and one or two digits, above zero; however many digits', async () => {
  const { key } = await spender(t, 'sandbox');
  for (const wrong of ['0', '0.00', '-1', '+1', '1.', '.5', '1.005', '1,5', '1e3', ' 10', 'ten', '0x10']) {
    const answer = await buy(t, key, product, { max_price: wrong });
    refused(answer, 'invalid_max_price', sandbox);
  }
  const twice = await t.post('/purchase/buy', `product_id=${product}&max_price=10&max_price=11`, { key });
  refused(twice, 'invalid_max_price', sandbox);
  for (const right of ['10', '10.0', '10.00', '0010', `${'9'.repeat(40)}.99`, ''])
    assert.equal((await buy(t, key, product, { max_price: right })).status, 200, right);
});

test('it is checked after the reference and before the scenario; in a batch after items and key', async () => {
  const { key } = await spender(t, 'sandbox');
  const wrong = { max_price: 'x', sandbox_scenario: 'x' };
  refused(await buy(t, key, product, { ...wrong, reference: '"' }), 'invalid_reference', sandbox);
  refused(await buy(t, key, product, wrong), 'invalid_max_price', sandbox);
  refused(await batch(key, 1, { max_total: 'x', sandbox_scenario: 'x' }), 'idempotency_key_required', sandbox);
  const keyed = await batch(key, 1, { max_total: 'x', sandbox_scenario: 'x', idempotency_key: 'o' });
  refused(keyed, 'invalid_max_total', sandbox);
});

test('suspension comes first, then the price, then limits, then money; neither new refusal leaves a failed order', async () => {
  const withoutMoney = await t.partner();
  const buyer = await spender(t, 'live', withoutMoney);
  const { key, partnerId } = buyer;
  await setLimits(buyer, 'key', ['order=5.00'], t);
  const low = { max_price: '1' };
  await run(t.operator(), `partner set ${partnerId} --suspended true`);
  assert.equal((await buy(t, key, product, low)).body.error, 'partner_account_suspended');
  await run(t.operator(), `partner set ${partnerId} --suspended false`);
  assert.equal((await buy(t, key, product, low)).body.error, 'price_changed');
  assert.equal((await buy(t, key, product)).body.error, 'limit_exceeded');
  assert.deepEqual((await t.get('/order/get?status=failed', { key })).body.order, []);
});

test('the sandbox simulates both refusals, with a price above the ceiling that was sent', async () => {
  const { key } = await spender(t, 'sandbox');
  const simulated = { sandbox_simulated: true, ...sandbox };
  const wanted = { sandbox_error: 'price_changed' };
  refused(await buy(t, key, product, { ...wanted, max_price: '20' }), 'price_changed', {
    partner_price: 20.01,
    max_price: 20,
    ...simulated,
  });
  refused(await buy(t, key, product, wanted), 'price_changed', { partner_price: 10, max_price: 9.99, ...simulated });
  const many = await batch(key, 2, { ...wanted, idempotency_key: 's', max_total: '19.5' });
  refused(many, 'price_changed', { total: 20, max_total: 19.5, ...simulated });
  const limit = await buy(t, key, product, { sandbox_error: 'limit_exceeded' });
  assert.deepEqual(Object.keys(limit.body.limit), [
    'scope',
    'per',
    'amount',
    'count',
    'used_amount',
    'used_count',
    'resets_at',
  ]);
});
