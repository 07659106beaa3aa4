import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { paceOf } from '../../src/suppliers/pace.ts';

test('at most so many turns in any second, in the order they were asked for', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const pace = paceOf(2);
    const had: number[] = [];
    const asking = [1, 2, 3, 4, 5].map((n) => pace(1_500).then((mine) => had.push(mine ? n : -n)));
    const turns = () => new Promise((resolve) => setImmediate(resolve));
    await turns();
    assert.deepEqual(had, [1, 2]);
    mock.timers.tick(1_000);
    await turns();
    assert.deepEqual(had, [1, 2, 3, 4]);
    mock.timers.tick(500);
    await Promise.all(asking);
    assert.deepEqual(had, [1, 2, 3, 4, -5], 'who gets no turn in time is told so');
    mock.timers.tick(1_000);
    assert.ok(await pace(0), 'a turn nobody waited for is free again');
  } finally {
    mock.timers.reset();
  }
});
