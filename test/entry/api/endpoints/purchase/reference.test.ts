import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MINUTE } from '../../../../../src/platform/clock.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, credit } from '../../../../support/sales/shop.ts';

let t: TestApp;
let product: string;
before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

for (const mode of ['live', 'sandbox'] as const) {
  describe(`a reference in ${mode}`, () => {
    let key: string;
    let partnerId: number;
    before(async () => {
      partnerId = await t.partner();
      await credit(t, partnerId, '1000.00');
      key = await t.key(partnerId, mode);
    });

    test('is trimmed, stored with the order, and shown by purchase/buy, order/get and order/detail', async () => {
      const { body } = await buy(t, key, product, { reference: ' \tBooking 7/é `x`\r\n' });
      assert.equal(body.order.reference, 'Booking 7/é `x`');
      const [listed] = (await t.get('/order/get', { key })).body.order;
      assert.deepEqual([listed.id, listed.reference], [body.id, 'Booking 7/é `x`']);
      assert.equal((await t.get(`/order/detail/${body.id}`, { key })).body.order.reference, 'Booking 7/é `x`');
    });

    test('is an empty string when none, or only white space, was sent', async () => {
      for (const form of [{}, { reference: '' }, { reference: ' \r\n ' }]) {
        const { body } = await buy(t, key, product, form);
        assert.equal(body.order.reference, '');
        assert.equal((await t.get('/order/get', { key })).body.order[0].reference, '');
        assert.equal((await t.get(`/order/detail/${body.id}`, { key })).body.order.reference, '');
      }
    });

    test('need not be unique', async () => {
      const orders = [
        await buy(t, key, product, { reference: 'twice' }),
        await buy(t, key, product, { reference: 'twice' }),
      ];
      assert.deepEqual(
        orders.map(({ status, body }) => [status, body.order.reference]),
        [
          [200, 'twice'],
          [200, 'twice'],
        ],
      );
      assert.notEqual(orders[0]?.body.id, orders[1]?.body.id);
    });

    test('in a replay is the one recorded first; another one, or none, is not a conflict', async () => {
      const sent = { idempotency_key: `replay-${mode}` };
      const first = await buy(t, key, product, { ...sent, reference: 'first' });
      for (const reference of ['first', 'second', '']) {
        const { status, body } = await buy(t, key, product, { ...sent, reference });
        assert.deepEqual([status, body.id, body.order.reference], [200, first.body.id, 'first'], reference);
      }
      const bare = { idempotency_key: `bare-${mode}` };
      await buy(t, key, product, bare);
      assert.equal((await buy(t, key, product, { ...bare, reference: 'late' })).body.order.reference, '');
    });

    test('can be 64 bytes after trimming; longer is 400 reference_too_long, counted before characters', async () => {
      for (const reference of [` ${'a'.repeat(64)} `, 'é'.repeat(32), '€'.repeat(21)]) {
        const { body } = await buy(t, key, product, { reference });
        assert.equal(body.order.reference, reference.trim());
      }
      const unchanged = await counts(t, mode);
      for (const reference of ['a'.repeat(65), 'é'.repeat(33), `<${'a'.repeat(64)}`, `\0${'a'.repeat(64)}`]) {
        const answer = await buy(t, key, product, { reference });
        assert.deepEqual([answer.status, answer.body.error], [400, 'reference_too_long'], reference);
      }
      assert.deepEqual(await counts(t, mode), unchanged);
    });

    test('with a refused character, invalid UTF-8, sent twice or with brackets: 400 invalid_reference, nothing changes', async () => {
      const unchanged = await counts(t, mode);
      const refused = ['a"b', "a'b", 'a\\b', 'a<b', 'a>b', 'a\u0001b', 'a\u007fb', 'a\u0085b', '😀', 'a\u0000b'];
      for (const sent of [
        ...refused.map((bad) => `reference=${encodeURIComponent(bad)}`),
        'reference=%ff%fe',
        'reference=%zz',
        'reference=a&reference=a',
        'reference=&reference=',
        'reference[]=a',
        'reference[x]=a',
      ]) {
        const answer = await t.post('/purchase/buy', `product_id=${product}&${sent}`, { key });
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_reference'], sent);
      }
      assert.deepEqual(await counts(t, mode), unchanged);
    });

    test('is checked right after the idempotency key, before everything else', async () => {
      const bad = 'reference=a%3Cb&sandbox_scenario=odd&sandbox_error=odd';
      for (const [form, error] of [
        [`product_id=foo&${bad}`, 'invalid_product'],
        [`product_id=${product}&idempotency_key=a%3Cb&${bad}`, 'invalid_idempotency_key'],
        [`product_id=${product}&idempotency_key=${'a'.repeat(192)}&${bad}`, 'idempotency_key_too_long'],
        [`product_id=${product}&${bad}`, 'invalid_reference'],
      ] as const)
        assert.equal((await t.post('/purchase/buy', form, { key })).body.error, error, form);
    });

    test('is in the body of every event of its order', async () => {
      const url = 'https://93.184.215.14/hook';
      const made = await run(t.operator(), `webhook create --partner ${partnerId} --mode ${mode} --url ${url}`);
      await run(t.operator(), `webhook pause ${made.subscription_id}`);
      const { body } = await buy(t, key, product, { reference: 'in events' });
      const events: Record<string, string> = {};
      for (const { id } of (await t.get('/webhook/deliveries', { key })).body.deliveries) {
        const payload = JSON.parse((await t.get(`/webhook/deliveries?id=${id}`, { key })).body.payload);
        if (String(payload.order_id) === body.id) events[payload.event] = payload.reference;
      }
      await run(t.operator(), `webhook delete ${made.subscription_id}`);
      assert.deepEqual(events, {
        'order.created': 'in events',
        'order.paid': 'in events',
        'order.delivered': 'in events',
      });
    });
  });
}

test('the reference of an order that fails for lack of money is kept, also in its replay', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  const form = { idempotency_key: 'poor', reference: 'no money' };
  const refused = await buy(t, key, product, form);
  assert.equal(refused.body.error, 'insufficient_balance');
  const replay = await buy(t, key, product, form);
  assert.deepEqual([replay.body.delivery, replay.body.order.reference], ['failed', 'no money']);
  assert.equal((await t.get(`/order/detail/${refused.body.order_id}`, { key })).body.order.reference, 'no money');
});

test('a deferred sandbox order keeps its reference, in the answer and in the event of its delivery', async () => {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  const made = await run(
    t.operator(),
    `webhook create --partner ${partnerId} --mode sandbox --url https://93.184.215.14/hook`,
  );
  await run(t.operator(), `webhook pause ${made.subscription_id}`);
  const { status, body } = await buy(t, key, product, { reference: 'later', sandbox_scenario: 'deferred' });
  assert.deepEqual([status, body.order.reference], [202, 'later']);
  t.clock.advance(2 * MINUTE);
  const { order } = (await t.get(`/order/detail/${body.id}`, { key })).body;
  assert.deepEqual([order.status, order.reference], ['1', 'later']);
  const [{ id }] = (await t.get('/webhook/deliveries?event=order.delivered', { key })).body.deliveries;
  assert.equal(JSON.parse((await t.get(`/webhook/deliveries?id=${id}`, { key })).body.payload).reference, 'later');
});
