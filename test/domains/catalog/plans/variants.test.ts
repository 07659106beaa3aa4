import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSmall, winners } from '../../../../src/domains/catalog/plans/selection.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { europe, plan } from '../../../support/database/plan.ts';

test('the winner of a group has the lowest list price', () => {
  const [dear, cheap] = [plan({ listPrice: toCents(900n) }), plan({ listPrice: toCents(800n) })];
  assert.deepEqual(winners([dear, cheap]), [cheap]);
});

test('at the same price 5G beats 4G, and at the same network the lowest internal id wins', () => {
  const [slow, fast, later] = [plan(), plan({ networkType: '5G' }), plan({ networkType: '5G' })];
  assert.deepEqual(winners([slow, later, fast]), [fast]);
});

test('other days, other data or another destination are other groups', () => {
  const plans = [plan(), plan({ day: 30 }), plan({ amountMb: 2048 }), plan({ destination: europe })];
  assert.deepEqual(winners(plans), plans);
});

test('unlimited plans group by days alone', () => {
  const unlimited = { isUnlimited: true, amountMb: 0 };
  const [a, b, c] = [plan(unlimited), plan({ ...unlimited, listPrice: toCents(1n) }), plan({ ...unlimited, day: 30 })];
  assert.deepEqual(winners([a, b, c]), [b, c]);
});

test('under 1 GB is small; an unlimited plan is not', () => {
  const small = [plan({ amountMb: 1023 }), plan({ amountMb: 1024 }), plan({ amountMb: 0, isUnlimited: true })];
  assert.deepEqual(small.map(isSmall), [true, false, false]);
});
