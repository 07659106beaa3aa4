import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { accountShare, defaultShareTiers, tierProgress } from '../../../../src/domains/catalog/prices/formula.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { toBasisPoints } from '../../../../src/platform/amounts/percent.ts';

const cap = toBasisPoints(6_000n);
const at = (usd: bigint) => tierProgress(defaultShareTiers, toCents(usd * 100n));

test('default tiers: 1,000 USD → 10, 5,000 → 15, 20,000 → 20 percent; a threshold counts when reached', () => {
  const shares = [0n, 999n, 1_000n, 4_999n, 5_000n, 19_999n, 20_000n, 1_000_000n].map((usd) => at(usd).current?.share);
  assert.deepEqual(shares, [undefined, undefined, 1_000n, 1_000n, 1_500n, 1_500n, 2_000n, 2_000n]);
});

test('the next tier is named until the highest is reached', () => {
  assert.deepEqual([at(0n).next?.min, at(1_000n).next?.min, at(20_000n).next], [100_000n, 500_000n, undefined]);
});

test('a custom share disables tiers, even a custom share of zero', () => {
  assert.deepEqual(accountShare(toBasisPoints(0n), at(20_000n), cap), { share: 0n, source: 'account' });
  assert.deepEqual(accountShare(undefined, at(20_000n), cap), { share: 2_000n, source: 'tier' });
  assert.deepEqual(accountShare(undefined, at(10n), cap), { share: 0n, source: 'default' });
});

test('a tier never lifts the share above the cap, and neither does a custom share', () => {
  const low = toBasisPoints(1_200n);
  assert.equal(accountShare(undefined, at(5_000n), low).share, low);
  assert.equal(accountShare(toBasisPoints(9_000n), at(0n), low).share, low);
});

test('more top-ups never mean a smaller share', () => {
  const amount = fc.bigInt(0n, 3_000_000n).map(toCents);
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      const shareAt = (total: typeof a) => accountShare(undefined, tierProgress(defaultShareTiers, total), cap).share;
      assert.ok(shareAt(less) <= shareAt(more));
    }),
  );
});
