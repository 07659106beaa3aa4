import assert from 'node:assert/strict';
import test from 'node:test';
import { partOf } from '../../../../src/domains/billing/revenue-share/formula.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { delivered, keepReading, type SaleOptions, type Sold } from '../../../support/sales/sales.ts';
import { drift, revenueShare } from '../../../support/sales/shares.ts';

const NOW = Date.UTC(2026, 5, 1);
const EXPIRED = NOW - 10 * DAY;

test('a reading is divided among the sales that filled an eSIM, in the order they were bought', () => {
  const [first, second] = [
    { amountMb: 1024, earlierMb: 0, allMb: 3072 },
    { amountMb: 2048, earlierMb: 1024, allMb: 3072 },
  ];
  const parts = (totalMb: number | null, usedMb: number) =>
    [first, second].map((fill) => Object.values(partOf(fill, { totalMb, usedMb })));
  for (const total of [null, 3072]) {
    assert.deepEqual(parts(total, 0), [
      [1024, 0],
      [2048, 0],
    ]);
    assert.deepEqual(parts(total, 1000), [
      [1024, 1000],
      [2048, 0],
    ]);
    assert.deepEqual(parts(total, 1500), [
      [1024, 1024],
      [2048, 476],
    ]);
    assert.deepEqual(parts(total, 9999), [
      [1024, 1024],
      [2048, 2048],
    ]);
  }
  assert.deepEqual(
    parts(3000, 3000),
    [
      [1000, 1000],
      [2000, 2000],
    ],
    'a supplier that counts a GB as 1000 MB',
  );
  const alone = { amountMb: 1024, earlierMb: 0, allMb: 1024 };
  assert.deepEqual(
    partOf(alone, { totalMb: 4096, usedMb: 5000 }),
    { planMb: 4096, usedMb: 5000 },
    'as the contract says',
  );
  assert.deepEqual(partOf(alone, { totalMb: null, usedMb: 3 }), { planMb: 1024, usedMb: 3 });
});

/** A delivered refill of a sale. */
async function refillOf(t: TestApp, partnerId: number, first: Sold, options: SaleOptions): Promise<Sold> {
  const refill = await delivered(t, partnerId, { deliveredAt: NOW - 39 * DAY, ...options });
  await t.base.worlds.live.db.run(sql`
    update orders set refill_of = ${first.orderId}, iccid = ${first.iccid} where id = ${refill.orderId}`);
  return { ...refill, iccid: first.iccid };
}

test('shares of eSIMs that were refilled', async (suite) => {
  await using t = await testApp();
  t.clock.freeze(NOW);
  const { settle } = revenueShare(t);
  const partnerAt50 = async () => {
    const id = await t.partner();
    await run(t.operator(), `partner set ${id} --revenue-share 50`);
    return { id, key: await t.key(id) };
  };
  const sharesOf = async (key: string) => {
    const { items } = (await t.get('/account/profitshare', { key })).body;
    return items
      .map((item: Record<string, number>) => [item.order_id, item.plan_mb, item.used_mb, item.unused_mb, item.amount])
      .toSorted((a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0));
  };

  await suite.test('each sale has its own share, of its own unused data at its own cost', async () => {
    const partner = await partnerAt50();
    const first = await delivered(t, partner.id, { deliveredAt: NOW - 40 * DAY, amountMb: 1000 });
    const second = await refillOf(t, partner.id, first, { amountMb: 4000, costMicros: 4_000_000n });
    await keepReading(t, first, { usedMb: 2000, totalMb: 5000, expiresAt: EXPIRED });
    await settle(NOW);
    // 3000 of 4000 MB at 4.00 are 3.00 of unused cost; the first order's data is used up.
    assert.deepEqual(await sharesOf(partner.key), [[Number(second.orderId), 4000, 1000, 3000, '1.50']]);
  });

  await suite.test('what was never used belongs to both', async () => {
    const partner = await partnerAt50();
    const first = await delivered(t, partner.id, { deliveredAt: NOW - 40 * DAY, amountMb: 1000 });
    const second = await refillOf(t, partner.id, first, { amountMb: 4000, costMicros: 4_000_000n });
    await keepReading(t, first, { usedMb: 500, totalMb: 5000, expiresAt: EXPIRED });
    await settle(NOW);
    assert.deepEqual(await sharesOf(partner.key), [
      [Number(first.orderId), 1000, 500, 500, '2.00'],
      [Number(second.orderId), 4000, 0, 4000, '2.00'],
    ]);
  });

  await suite.test('a refill that failed changes nothing', async () => {
    const partner = await partnerAt50();
    const first = await delivered(t, partner.id, { deliveredAt: NOW - 40 * DAY, amountMb: 1000 });
    const failed = await refillOf(t, partner.id, first, { amountMb: 4000 });
    await t.base.worlds.live.db.run(sql`
      update orders set status = 2, delivery = 'failed', delivered_at = null where id = ${failed.orderId}`);
    await keepReading(t, first, { usedMb: 500, expiresAt: EXPIRED });
    await settle(NOW);
    assert.deepEqual(await sharesOf(partner.key), [[Number(first.orderId), 1000, 500, 500, '2.00']]);
  });

  await suite.test('an unlimited refill leaves nothing to measure', async () => {
    const partner = await partnerAt50();
    const first = await delivered(t, partner.id, { deliveredAt: NOW - 40 * DAY, amountMb: 1000 });
    await refillOf(t, partner.id, first, { amountMb: 0, isUnlimited: true });
    await keepReading(t, first, { usedMb: 500, expiresAt: EXPIRED });
    await settle(NOW);
    assert.deepEqual(await sharesOf(partner.key), []);
  });
  assert.deepEqual(await drift(t.base.worlds.live.db), []);
});
