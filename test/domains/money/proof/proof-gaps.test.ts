import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestGap, recoveredAfter } from '../../../../proving/ha/gaps.ts';

const every = (stepMs: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, i) => from + i * stepMs);

test('purchases that never stopped for two seconds were not interrupted', () => {
  assert.equal(recoveredAfter([every(100, 0, 20_000)], 5_000, 20_000), 0);
});

test('the end of the last gap counts, of the process that was worst off', () => {
  const one = [...every(100, 0, 5_000), ...every(100, 8_000, 20_000)];
  const flapping = [...every(100, 0, 5_000), 6_950, ...every(100, 9_500, 20_000)];
  assert.equal(recoveredAfter([one, one], 5_000, 20_000), 3_000);
  assert.equal(recoveredAfter([one, flapping], 5_000, 20_000), 4_500);
  assert.equal(longestGap([one, flapping], 5_000, 20_000), 3_000);
});

test('a process that acknowledges nothing any more has not recovered', () => {
  assert.equal(recoveredAfter([every(100, 0, 5_000)], 5_000, 20_000), 15_000);
  assert.equal(recoveredAfter([[]], 5_000, 20_000), 15_000);
});
