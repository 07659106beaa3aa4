import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WithdrawAnswer } from '../../../../src/domains/supply/port/port.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { plan } from '../../../support/database/plan.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { counts } from '../../../support/sales/shop.ts';
import { refundShop, type Shop, type Withdrawals, withdrawals } from '../../../support/suppliers/withdrawals.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { live } = t.base.worlds;
let shop: Shop;
let supplier: Withdrawals;
before(async () => {
  shop = await refundShop(t);
  supplier = await withdrawals(t, { outcome: 'withdrawn' });
});

const refillPlan = plan();
type Esim = { id: string; iccid: string };
const refund = async (id: string) => (await t.post('/order/refund', { order_id: id }, { key: shop.live })).body.refund;
const refill = ({ id, iccid }: Esim, key?: string) =>
  live.checkout.buy({
    partnerId: shop.partnerId,
    plan: refillPlan,
    price: toCents(500n),
    key,
    reference: '',
    refillOf: { orderId: BigInt(id), iccid, supplierOrder: null },
    at: new Date(t.clock.now()),
  });

test('an eSIM that is being withdrawn, or was, cannot be refilled, and nothing is written', async () => {
  const esim = await shop.order(shop.live);
  const { promise, resolve } = Promise.withResolvers<WithdrawAnswer>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  supplier.answer = () => {
    reach();
    return promise;
  };
  const asked = refund(esim.id);
  await reached;
  const before = await counts(t);
  assert.deepEqual(await refill(esim), { outcome: 'withdrawn' });
  assert.deepEqual(await counts(t), before);
  resolve({ outcome: 'withdrawn' });
  assert.equal((await asked).status, 'refunded');
  assert.deepEqual(await refill(esim, 'late'), { outcome: 'withdrawn' });
});

test('an eSIM the supplier would not take back can be refilled, and so can one refunded by hand', async () => {
  supplier.answer = { outcome: 'refused', reason: 'installed' };
  const kept = await shop.order(shop.live);
  assert.equal((await refund(kept.id)).status, 'requested');
  assert.equal((await refill(kept)).outcome, 'bought');
  const given = await shop.order(shop.live);
  await run(t.operator(), `order refund ${given.id}`);
  assert.equal((await refill(given)).outcome, 'bought');
});

test('a refill that was recorded before is replayed, whatever happened to the eSIM', async () => {
  const esim = await shop.order(shop.live);
  const first = await refill(esim, 'once');
  await t.base.db.run(sql`update live.orders set withdrawn_at = now() where id = ${esim.id}`);
  const again = await refill(esim, 'once');
  assert.ok(first.outcome === 'bought' && again.outcome === 'bought');
  assert.equal(again.purchase.orderId, first.purchase.orderId);
});

test('of a refill and a refund at the same moment, one wins: never a paid refill of a withdrawn eSIM', async () => {
  supplier.answer = { outcome: 'withdrawn' };
  const won = { refill: 0, refund: 0 };
  for (let round = 0; round < 20; round++) {
    const esim = await shop.order(shop.live);
    const [asked, sold] = await Promise.all(
      round % 2 ? [refund(esim.id), refill(esim)] : [refill(esim), refund(esim.id)].reverse(),
    );
    const { status } = asked as { status: string };
    const { outcome } = sold as { outcome: string };
    assert.deepEqual(
      [status, outcome],
      status === 'refunded' ? ['refunded', 'withdrawn'] : ['requested', 'bought'],
      'a withdrawn eSIM was not refilled, and a refilled one is not withdrawn',
    );
    won[status === 'refunded' ? 'refund' : 'refill'] += 1;
  }
  assert.equal(won.refill + won.refund, 20);
});
