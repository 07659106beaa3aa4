import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import type { StockedApp } from '../../../support/sales/catalog.ts';
import { ownEsim, refill, refillShop, shopperIn } from '../../../support/sales/refills.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

test('the reading of a refill is that of its eSIM, taken once', async () => {
  const shopper = await shopperIn(t, 'live');
  const esim = await ownEsim(t, shopper);
  const { order_id } = (await refill(t, shopper, esim, 'some')).body;
  await run(t.operator(), `usage set ${esim.iccid} --used 300`);
  const ids = [BigInt(esim.orderId), BigInt(order_id)];
  const taken = await t.base.worlds.live.usage.readings(ids);
  assert.deepEqual(
    ids.map((id) => [taken.get(id)?.usedMb, taken.get(id)?.totalMb]),
    [
      [300, 1536],
      [300, 1536],
    ],
  );
});

test('where the supplier names no total, it is the data of the order and of its delivered refills', async () => {
  const shopper = await shopperIn(t, 'live');
  const esim = await ownEsim(t, shopper);
  await refill(t, shopper, esim, 'some');
  const { db } = t.base.worlds.live;
  await t.get(`/order/usage/${esim.iccid}`, { key: shopper.key });
  await db.run(sql`update usage_readings set total_mb = null, fresh_until = 'infinity' where iccid = ${esim.iccid}`);
  const { usage } = (await t.get(`/order/usage/${esim.iccid}`, { key: shopper.key })).body;
  assert.deepEqual([usage.total_mb, usage.remaining_mb], [1536, 1536]);
  await db.run(sql`update orders set status = 4, delivery = 'deferred' where refill_of = ${esim.orderId}`);
  const { usage: less } = (await t.get(`/order/usage/${esim.iccid}`, { key: shopper.key })).body;
  assert.equal(less.total_mb, 1024, 'one that is not delivered yet does not count');
});
