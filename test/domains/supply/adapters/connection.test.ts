import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { throttle } from '../../../../src/domains/supply/adapters/connection.ts';

test('at most the given number of turns in any second, first come, first served', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const nextTurn = throttle(2);
    const had: number[] = [];
    const asking = [1, 2, 3, 4, 5].map((n) => nextTurn(1_500).then((mine) => had.push(mine ? n : -n)));
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    await turns();
    assert.deepEqual(had, [1, 2]);
    mock.timers.tick(1_000);
    await turns();
    assert.deepEqual(had, [1, 2, 3, 4]);
    mock.timers.tick(500);
    await Promise.all(asking);
    assert.deepEqual(had, [1, 2, 3, 4, -5], 'a caller that gets no turn in time is told');
    mock.timers.tick(1_000);
    assert.ok(await nextTurn(0), 'an unused turn is free again');
  } finally {
    mock.timers.reset();
  }
});
