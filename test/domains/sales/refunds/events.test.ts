import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { pausedSubscription } from '../../../support/sales/shop.ts';
import { refundShop, type Shop, type Withdrawals, withdrawals } from '../../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const NAMED = 'order.refund_requested,order.refund_rejected,order.refunded';
let shop: Shop;
let supplier: Withdrawals;
before(async () => {
  shop = await refundShop(t);
  supplier = await withdrawals(t, { outcome: 'refused', reason: 'installed' });
  for (const mode of ['live', 'sandbox']) await pausedSubscription(t, shop.partnerId, NAMED, mode);
});

const refund = (key: string, order_id: string): Promise<Answer> => t.post('/order/refund', { order_id }, { key });
const refundEvents = async (key: string, id: string) => {
  const { deliveries } = (await t.get('/webhook/deliveries?limit=200', { key })).body;
  const own = deliveries.filter(({ sale_id }: { sale_id: string }) => sale_id === id).reverse();
  return Promise.all(
    own.map(async (one: { id: string }) =>
      JSON.parse((await t.get(`/webhook/deliveries?id=${one.id}`, { key })).body.payload),
    ),
  );
};

for (const world of ['live', 'sandbox'] as const) {
  const used = async () => (await shop.order(shop[world], world === 'sandbox' ? { sandbox_usage: 'active' } : {})).id;
  const prefix = world === 'live' ? '' : 'sbx_';

  test(`${world}: a refund that waits for the operator says so once, and its rejection, too`, async () => {
    const key = shop[world];
    const id = await used();
    const { body } = await refund(key, id);
    assert.equal(body.refund.status, 'requested');
    await refund(key, id);
    const [asked, ...none] = await refundEvents(key, id);
    assert.deepEqual(none, []);
    assert.deepEqual(
      [asked.event, asked.event_id, asked.status, asked.delivery, asked.refund],
      ['order.refund_requested', `${prefix}order.refund_requested:${id}:1`, '1', 'delivered', body.refund],
    );
    await run(t.operator(), `refund reject ${id} --mode ${world} --note used`);
    const [, rejected] = await refundEvents(key, id);
    const shown = (await t.get(`/order/detail/${id}`, { key })).body.refund;
    assert.deepEqual(
      [rejected.event, rejected.event_id, rejected.refund],
      ['order.refund_rejected', `${prefix}order.refund_rejected:${id}:1`, shown],
    );
    assert.deepEqual([shown.status, shown.note], ['rejected', 'used']);
    // Revised by the operator later.
    await run(t.operator(), `refund approve ${id} --mode ${world}`);
    assert.deepEqual(
      (await refundEvents(key, id)).map(({ event }) => event),
      ['order.refund_requested', 'order.refund_rejected', 'order.refunded'],
    );
  });

  test(`${world}: order/get finds orders by how far their refund is`, async () => {
    const key = shop[world];
    const found = async (query: string) =>
      (await t.get(`/order/get?limit=100&${query}`, { key })).body.order.map((one: { id: string }) => one.id);
    const [requested, rejected, refunded, none] = [await used(), await used(), await used(), await used()];
    for (const id of [requested, rejected, refunded]) await refund(key, id);
    await run(t.operator(), `refund reject ${rejected} --mode ${world}`);
    await run(t.operator(), `refund approve ${refunded} --mode ${world} --amount 1`);
    const { reference: _, ...by } = { reference: '', requested, rejected, refunded };
    for (const [status, id] of Object.entries(by)) {
      const ids = await found(`refund_status=${status}`);
      assert.equal(ids[0], id, status);
      for (const other of [requested, rejected, refunded, none].filter((one) => one !== id))
        assert.ok(!ids.includes(other), `${other} is not ${status}`);
      assert.deepEqual(await found(`refund_status=${status}&before_id=${id}`), ids.slice(1));
    }
    assert.deepEqual(await found('refund_status=refunded&status=failed'), []);
    assert.equal((await found('refund_status=')).length, (await found('limit=100')).length);
    const { status, body } = await t.get('/order/get?refund_status=withdrawing', { key });
    assert.deepEqual([status, body.error], [400, 'invalid_refund_status']);
  });
}

test('a subscription that names none of them receives none', async () => {
  const stranger = await refundShop(t);
  await pausedSubscription(t, stranger.partnerId);
  const { id } = await stranger.order(stranger.sandbox, { sandbox_usage: 'active' });
  await refund(stranger.sandbox, id);
  const events = (await refundEvents(stranger.sandbox, id)).map(({ event }) => event);
  assert.deepEqual(events, ['order.created', 'order.paid', 'order.delivered']);
});

test('a refund whose supplier does not answer is shown as requested, and sends no event before it waits for the operator', async () => {
  const key = shop.live;
  supplier.answer = { outcome: 'unavailable', reason: 'silent' };
  const { id } = await shop.order(key);
  assert.equal((await refund(key, id)).body.refund.status, 'requested');
  assert.deepEqual(await refundEvents(key, id), []);
  const ids = (await t.get('/order/get?refund_status=requested&limit=1', { key })).body.order;
  assert.equal(ids[0].id, id);
});
