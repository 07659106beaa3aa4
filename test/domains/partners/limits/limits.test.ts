import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitsText, readLimits, windowOf } from '../../../../src/domains/partners/limits/limits.ts';
import { Refused } from '../../../../src/platform/contract/refused.ts';

test('limits are read from text and written as they are read; duplicates count once, and none is the empty set', () => {
  assert.equal(
    limitsText(readLimits('order=20, day=500.5,hour=20x\nmonth=1x')),
    'order=20.00, day=500.50, hour=20x, month=1x',
  );
  assert.deepEqual(readLimits('day=500.00'), [{ per: 'day', amount: 50_000n, count: null }]);
  assert.deepEqual(readLimits('day=5.00 day=5.00'), readLimits('day=5.00'));
  for (const empty of ['', ' ', 'none']) assert.deepEqual(readLimits(empty), []);
});

test('anything else is refused: another period, zero, three decimals, a number of orders per order', () => {
  for (const wrong of [
    'week=5',
    'day',
    'day=',
    'day=0',
    'day=0.00',
    'day=-5',
    'day=1.005',
    'day=5=6',
    'hour=0x',
    'hour=1.5x',
    'order=3x',
    'total=50',
    'day=5,none',
    '50/day',
    'day=x',
  ])
    assert.throws(() => readLimits(wrong), Refused, wrong);
});

test('at most ten', () => {
  const limits = Array.from({ length: 11 }, (_, i) => `day=${i + 1}.00`);
  assert.equal(readLimits(limits.slice(0, 10).join()).length, 10);
  assert.throws(() => readLimits(limits.join()), /at most 10/);
});

test('windows are those of the calendar in UTC, and the last millisecond belongs to the one that ends', () => {
  const at = (text: string) => new Date(text);
  for (const [per, time, from, to] of [
    ['hour', '2026-02-28T23:59:59.999Z', '2026-02-28T23:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['day', '2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['month', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['month', '2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    ['day', '2028-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ] as const)
    assert.deepEqual(windowOf(per, at(time)), { from: at(from), to: at(to) }, `${per} of ${time}`);
});
