import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseAway } from '../../../../src/platform/db/database.ts';
import { batcher } from '../../../../src/platform/db/query/batch.ts';

const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((all) => all.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)));

test('items of one turn travel in one batch, at most `max` of them, answers in order', async () => {
  const batches: number[][] = [];
  const double = batcher(
    async (items: readonly number[]) => {
      batches.push([...items]);
      return items.map((item) => item * 2);
    },
    { max: 3 },
  );
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(double)), [2, 4, 6, 8, 10]);
  assert.deepEqual(batches, [
    [1, 2, 3],
    [4, 5],
  ]);
});

test('one batch in flight at a time: what arrives meanwhile forms the next', async () => {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const wait = batcher(
    (items: readonly number[]) =>
      new Promise<number[]>((resolve) => {
        batches.push([...items]);
        gates.push(() => resolve([...items]));
      }),
    { max: 10 },
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const first = wait(1);
  await turn();
  const rest = Promise.all([wait(2), wait(3)]);
  await turn();
  assert.deepEqual(batches, [[1]]);
  gates[0]?.();
  assert.equal(await first, 1);
  // A call in the turn in which the first batch ended still joins the second.
  await new Promise(process.nextTick);
  const late = wait(4);
  await turn();
  await turn();
  assert.deepEqual(batches, [[1], [2, 3, 4]]);
  gates[1]?.();
  assert.deepEqual(await Promise.all([rest, late]), [[2, 3], 4]);
});

test('an outcome that is an error rejects its own item only', async () => {
  const refused = new Error('refused');
  const run = batcher(async (items: readonly number[]) => items.map((i) => (i === 2 ? refused : i)), { max: 9 });
  assert.deepEqual(await settled([1, 2, 3].map(run)), [1, refused, 3]);
});

test('a batch that was rolled back runs again one by one, so a bad item fails alone', async () => {
  const bad = new Error('check constraint');
  const batches: number[] = [];
  const run = batcher(
    async (items: readonly number[]) => {
      batches.push(items.length);
      if (items.includes(2)) throw bad;
      return items;
    },
    { max: 9 },
  );
  assert.deepEqual(await settled([1, 2, 3].map(run)), [1, bad, 3]);
  assert.deepEqual(batches, [3, 1, 1, 1]);
});

test('a lost connection is never retried here: whether the batch was committed is unknown', async () => {
  let runs = 0;
  const away = new DatabaseAway('gone');
  const run = batcher(
    async (items: readonly number[]) => {
      runs++;
      if (runs === 1) throw away;
      return items;
    },
    { max: 9 },
  );
  assert.deepEqual(await settled([1, 2].map(run)), [away, away]);
  assert.equal(runs, 1);
  assert.equal(await run(3), 3);
});

test('a batch that took too long fails as a whole, unless its items are to be tried alone', async () => {
  for (const aloneAfterTimeout of [false, true]) {
    const batches: number[] = [];
    const tooLong = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const run = batcher(
      async (items: readonly number[]) => {
        batches.push(items.length);
        if (items.includes(2)) throw tooLong;
        return items;
      },
      { max: 9, aloneAfterTimeout },
    );
    const outcomes = await settled([1, 2, 3].map(run));
    assert.deepEqual(outcomes, aloneAfterTimeout ? [1, tooLong, 3] : [tooLong, tooLong, tooLong]);
    assert.deepEqual(batches, aloneAfterTimeout ? [3, 1, 1, 1] : [3]);
  }
});

test('an item without an outcome fails instead of waiting for ever, and nothing runs twice', async () => {
  let runs = 0;
  const run = batcher(
    async (items: readonly number[]) => {
      runs++;
      return items.slice(0, 1);
    },
    { max: 9 },
  );
  const [one, two] = await settled([1, 2].map(run));
  assert.equal(one, 1);
  assert.match(String(two), /no outcome/);
  assert.equal(runs, 1);
});
