import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdict } from '../../../proving/soak/flat.ts';

const of = (values: readonly number[]) => verdict({ name: 'memory', unit: 'MB', tolerance: 5, values });
const count = (length: number, value: (i: number) => number) => Array.from({ length }, (_, i) => value(i));

test('a figure that rises at first and then stays is flat', () => {
  assert.ok(of(count(100, (i) => Math.min(200, 100 + 4 * i))).isFlat);
});

test('a figure that rises to the end is not flat, however slowly', () => {
  const { isFlat, moved } = of(count(100, (i) => 200 + i));
  assert.equal(isFlat, false);
  assert.equal(Math.round(moved), 49);
});

test('a figure that goes up and down around the same value is flat', () => {
  assert.ok(of(count(100, (i) => 200 + 60 * (i % 2))).isFlat);
});

test('a small figure may move by its own tolerance', () => {
  assert.ok(of(count(10, (i) => i)).isFlat);
  assert.equal(of(count(20, (i) => i)).isFlat, false);
});
