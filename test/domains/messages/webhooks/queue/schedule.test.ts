import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextAttemptAt } from '../../../../../src/domains/messages/webhooks/queue/schedule.ts';
import { HOUR, MINUTE } from '../../../../../src/platform/clock.ts';

test('waits after attempts 1 to 4 are 1 min, 5 min, 30 min, 2 h; the fifth failure is the last', () => {
  const waits = [1, 2, 3, 4, 5].map((attempt) => nextAttemptAt(attempt, 5, 0));
  assert.deepEqual(waits, [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, undefined]);
});

test('where an operator allowed more attempts, 12 h pass before each of them', () => {
  const waits = [5, 6, 9, 10].map((attempt) => nextAttemptAt(attempt, 10, 0));
  assert.deepEqual(waits, [12 * HOUR, 12 * HOUR, 12 * HOUR, undefined]);
});
