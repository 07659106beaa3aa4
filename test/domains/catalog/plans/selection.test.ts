import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Plan } from '../../../../src/domains/catalog/catalog.ts';
import {
  directions,
  type Filters,
  matches,
  pricePerGb,
  sorted,
  sortKeys,
} from '../../../../src/domains/catalog/plans/selection.ts';
import { centsToNumber, toCents } from '../../../../src/platform/amounts/cents.ts';
import { plan } from '../../../support/database/plan.ts';

const listPrice = (row: Plan): number => centsToNumber(row.listPrice);
const kept = (rows: Plan[], filters: Filters) => rows.filter((row) => matches(row, filters, listPrice));

test('every filter keeps what it names and drops the rest', () => {
  const metered = plan({ isUsageMetered: true });
  const unlimited = plan({ isUnlimited: true, amountMb: 0 });
  const fast = plan({ networkType: '5G' });
  const large = plan({ amountMb: 20_480 });
  const long = plan({ day: 30 });
  const dear = plan({ listPrice: toCents(5_000n) });
  const rows = [metered, unlimited, fast, large, long, dear];
  assert.deepEqual(kept(rows, {}), rows);
  assert.deepEqual(kept(rows, { usage_metered: true }), [metered]);
  assert.deepEqual(kept(rows, { usage_metered: false }).length, 5);
  assert.deepEqual(kept(rows, { unlimited: true }), [unlimited]);
  assert.deepEqual(kept(rows, { unlimited: false }).length, 5);
  assert.deepEqual(kept(rows, { network_type: '5G' }), [fast]);
  assert.deepEqual(kept(rows, { min_data_mb: 20_480 }), [large]);
  assert.deepEqual(kept(rows, { max_data_mb: 1023 }), [unlimited]);
  assert.deepEqual(kept(rows, { day: 30 }), [long]);
  assert.deepEqual(kept(rows, { min_day: 8, max_day: 30 }), [long]);
  assert.deepEqual(kept(rows, { min_price: 50, max_price: 50 }), [dear]);
  assert.deepEqual(kept(rows, { min_price: 60, max_price: 50 }), []);
});

test('plans with no per-GB value go last in both directions', () => {
  const rows = [plan({ isUnlimited: true, amountMb: 0 }), plan({ amountMb: 2048 }), plan({ amountMb: 1024 })];
  const [unlimited, two, one] = rows;
  assert.deepEqual(sorted(rows, 'price_per_gb', 'asc'), [two, one, unlimited]);
  assert.deepEqual(sorted(rows, 'price_per_gb', 'desc'), [one, two, unlimited]);
});

test('ties are ascending in both directions: title, then alias', () => {
  const rows = [plan({ title: 'b' }), plan({ title: 'B' }), plan({ title: 'a' })];
  const [b, upperB, a] = rows;
  for (const order of directions) assert.deepEqual(sorted(rows, 'price', order), [a, b, upperB]);
  assert.deepEqual(sorted(rows, 'title', 'desc'), [b, upperB, a]);
});

test('price per GB is the list price for 1024 MB, in whole cents; none for unlimited plans', () => {
  const perGb = (special: Partial<Plan>) => pricePerGb(plan({ listPrice: toCents(1_000n), ...special }));
  assert.deepEqual([perGb({ amountMb: 3072 }), perGb({ amountMb: 500 })], [333n, 2048n]);
  assert.equal(perGb({ isUnlimited: true, amountMb: 0 }), null);
});

test('sorting neither loses nor repeats a plan, and its result does not depend on the input’s order', () => {
  const row = fc
    .record({
      listPrice: fc.bigInt(100n, 105n).map(toCents),
      amountMb: fc.constantFrom(0, 1024, 2048),
      day: fc.constantFrom(7, 30),
      title: fc.constantFrom('a', 'A', 'é', 'z'),
    })
    .map((special) => plan({ ...special, isUnlimited: special.amountMb === 0 }));
  fc.assert(
    fc.property(fc.array(row), fc.constantFrom(...sortKeys), fc.constantFrom(...directions), (rows, sort, order) => {
      const once = sorted(rows, sort, order);
      assert.deepEqual(new Set(once), new Set(rows));
      assert.deepEqual(sorted(rows.toReversed(), sort, order), once);
    }),
  );
});
