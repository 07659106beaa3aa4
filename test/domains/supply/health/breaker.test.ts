import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Breaker, PAUSE_MS, SILENT_ORDERS } from '../../../../src/domains/supply/health/breaker.ts';

const NOW = 1_000_000;

/** One that has just opened at `NOW`. */
function opened(): Breaker {
  const breaker = new Breaker();
  for (let order = 1; order < SILENT_ORDERS; order++)
    assert.equal(breaker.ended(BigInt(order), false, NOW), undefined, 'not yet');
  assert.equal(breaker.ended(BigInt(SILENT_ORDERS), false, NOW), 'opened');
  return breaker;
}

test('five orders in a row without an answer open it, for the pause', () => {
  const breaker = opened();
  assert.equal(breaker.isOpen, true);
  assert.equal(breaker.admits(NOW), false);
  assert.equal(breaker.admits(NOW + PAUSE_MS - 1), false);
});

test('one slow order does not open it, however often it is tried', () => {
  const breaker = new Breaker();
  for (let tries = 0; tries < 100; tries++) assert.equal(breaker.ended(1n, false, NOW), undefined);
  assert.equal(breaker.admits(NOW), true);
});

test('any answer in between starts the count anew', () => {
  const breaker = new Breaker();
  for (let order = 1n; order <= 40n; order++) assert.equal(breaker.ended(order, order % 5n === 0n, NOW), undefined);
  assert.equal(breaker.isOpen, false);
});

test('after the pause one order is tried; its answer lets the rest through', () => {
  const breaker = opened();
  const later = NOW + PAUSE_MS;
  assert.deepEqual([breaker.admits(later), breaker.admits(later), breaker.admits(later + 1)], [true, false, false]);
  assert.equal(breaker.ended(6n, true, later + 50), 'closed');
  assert.equal(breaker.isOpen, false);
  assert.deepEqual([breaker.admits(later + 50), breaker.admits(later + 50)], [true, true]);
  assert.equal(breaker.ended(7n, false, later + 60), undefined, 'it takes five again');
});

test('silence after the pause is another pause', () => {
  const breaker = opened();
  const later = NOW + PAUSE_MS;
  assert.equal(breaker.admits(later), true);
  assert.equal(breaker.ended(6n, false, later + 8_000), undefined);
  assert.equal(breaker.admits(later + 8_000 + PAUSE_MS - 1), false);
  assert.equal(breaker.admits(later + 8_000 + PAUSE_MS), true);
});

test('a try that never ends does not keep it open for good: after another pause the next is tried', () => {
  const breaker = opened();
  assert.equal(breaker.admits(NOW + PAUSE_MS), true);
  assert.equal(breaker.admits(NOW + 2 * PAUSE_MS - 1), false);
  assert.equal(breaker.admits(NOW + 2 * PAUSE_MS), true);
});

test('an answer to what was under way when it opened closes it at once', () => {
  const breaker = opened();
  assert.equal(breaker.ended(9n, true, NOW + 1), 'closed');
  assert.equal(breaker.admits(NOW + 1), true);
});
