import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Consumption, shareOf } from '../../../../src/domains/billing/revenue-share/formula.ts';
import { centsToMicros, toCents, toMicros } from '../../../../src/platform/amounts/cents.ts';
import { toBasisPoints } from '../../../../src/platform/amounts/percent.ts';

const sale: Consumption = {
  listPrice: toCents(2000n),
  salePrice: toCents(1900n),
  cost: toMicros(8_000_000n),
  planMb: 5120,
  usedMb: 1280,
};
const pct = (sharePct: bigint, capPct: bigint) => ({
  sharePct: toBasisPoints(sharePct),
  totalShareCapPct: toBasisPoints(capPct),
});
const rates = pct(5000n, 6000n);

test('share_amount is the rate on the cost of the unused data, not on the sale price', () => {
  assert.deepEqual(shareOf(sale, rates), {
    unusedMb: 3840,
    unitCost: 1563n,
    unusedCost: 6_000_000n,
    amount: 300n,
    capped: false,
  });
});

test('unit cost is not rounded before the product', () => {
  // 1.00 / 3 MB x 3 MB at 100 % is the whole dollar; a rounded unit cost would give 0.999999.
  const thirds = { ...sale, cost: toMicros(1_000_000n), planMb: 3, usedMb: 0 };
  const share = shareOf(thirds, pct(10_000n, 10_000n));
  assert.equal(share?.unitCost, 333_333n);
  assert.equal(share?.unusedCost, 1_000_000n);
  assert.equal(share?.amount, 100n);
});

test('the amount is rounded half up, once', () => {
  const half = { ...sale, cost: toMicros(10_000n), planMb: 2, usedMb: 1 };
  assert.equal(shareOf(half, pct(10_000n, 10_000n))?.amount, 1n);
  const below = { ...sale, cost: toMicros(9_999n), planMb: 2, usedMb: 1 };
  assert.equal(shareOf(below, pct(10_000n, 10_000n))?.amount, 0n);
});

test('no share when the plan size or the cost is unknown, or nothing is unused', () => {
  assert.equal(shareOf({ ...sale, planMb: 0, usedMb: 0 }, rates), undefined);
  assert.equal(shareOf({ ...sale, cost: toMicros(0n) }, rates), undefined);
  assert.equal(shareOf({ ...sale, usedMb: 5120 }, rates), undefined);
  assert.equal(shareOf({ ...sale, usedMb: 6000 }, rates), undefined);
});

test('when the cap binds the unused-data share is clipped, never the upfront discount', () => {
  // Margin 12.00, cap 60 % = 7.20, discount 5.00 leaves 2.20 of an agreed 3.00.
  assert.deepEqual(pick(shareOf({ ...sale, salePrice: toCents(1500n) }, rates)), { amount: 220n, capped: true });
  assert.deepEqual(pick(shareOf({ ...sale, salePrice: toCents(1000n) }, rates)), { amount: 0n, capped: true });
  assert.deepEqual(pick(shareOf({ ...sale, listPrice: toCents(700n), salePrice: toCents(700n) }, rates)), {
    amount: 0n,
    capped: true,
  });
});

function pick(share: ReturnType<typeof shareOf>) {
  return { amount: share?.amount, capped: share?.capped };
}

test('property: discount and share together never pass the cap of the margin, and a share is clipped only by the cap', () => {
  const anySale = fc.record({
    list: fc.bigInt({ min: 1n, max: 50_000n }),
    discountPct: fc.bigInt({ min: 0n, max: 60n }),
    cost: fc.bigInt({ min: 1n, max: 600_000_000n }),
    planMb: fc.integer({ min: 1, max: 200_000 }),
    usedPct: fc.integer({ min: 0, max: 120 }),
    sharePct: fc.bigInt({ min: 0n, max: 10_000n }),
    capPct: fc.bigInt({ min: 0n, max: 10_000n }),
  });
  fc.assert(
    fc.property(anySale, ({ list, discountPct, cost, planMb, usedPct, sharePct, capPct }) => {
      const margin = centsToMicros(toCents(list)) - cost;
      const discount = margin > 0n ? (margin * discountPct) / 1_000_000n : 0n;
      const usedMb = Math.floor((planMb * usedPct) / 100);
      const share = shareOf(
        { listPrice: toCents(list), salePrice: toCents(list - discount), cost: toMicros(cost), planMb, usedMb },
        pct(sharePct, capPct),
      );
      if (!share) return assert.ok(usedMb >= planMb);
      assert.ok(share.amount >= 0n);
      assert.equal(share.unusedMb, planMb - usedMb);
      // Never more than the agreed rate gives (half a cent of rounding at most).
      const exactTimes = BigInt(planMb) * 10_000n * 10_000n;
      assert.ok(2n * share.amount * exactTimes <= 2n * cost * BigInt(share.unusedMb) * sharePct + exactTimes);
      const mayLeave = margin > 0n ? margin * capPct : 0n;
      const leaves = (share.amount + discount) * 10_000n * 10_000n;
      assert.ok(share.amount === 0n || leaves <= mayLeave, 'the cap was passed');
      // Clipped only when one more cent would not have fitted.
      if (share.capped) assert.ok(leaves + 10_000n * 10_000n > mayLeave);
    }),
    { numRuns: 2000 },
  );
});
