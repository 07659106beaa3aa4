import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { credit } from '../../../support/sales/shop.ts';

test('an order that fails after a partial refund reports a full refund', async () => {
  await using t = await testApp();
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'live');
  await credit(t, partnerId, '100');
  const plan = await testPlan(t);
  const { id } = await paidOrder(t, { partnerId, plan });
  const balance = async (): Promise<number> => (await t.get('/account/balance', { key })).body.balance;
  const paid = await balance();
  const refundOf = async () => (await t.get(`/order/detail/${id}`, { key })).body.refund;

  await run(t.operator(), `order refund ${id} --amount 0.93 --note late`);
  assert.equal((await refundOf()).amount, '0.93');
  await run(t.operator(), `order fail ${id}`);
  const { order } = (await t.get(`/order/detail/${id}`, { key })).body;
  const { status, amount, note } = await refundOf();
  assert.deepEqual([order.status, status, amount, note], ['2', 'refunded', order.sale_price, 'late']);
  assert.equal(await balance(), paid + Number(order.sale_price));

  const other = await paidOrder(t, { partnerId, plan });
  await run(t.operator(), `order fail ${other.id}`);
  const shown = (await t.get(`/order/detail/${other.id}`, { key })).body;
  assert.equal(shown.refund, null, 'without a refund there is still none');
});
