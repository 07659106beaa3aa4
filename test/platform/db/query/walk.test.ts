import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseAway } from '../../../../src/platform/db/database.ts';
import { createWalks, type Step } from '../../../../src/platform/db/query/walk.ts';

/** A list of numbers from 1, as a step sees it. */
const list =
  (length: number): Step<number> =>
  async (after = 0, rows) =>
    after + rows <= length ? after + rows : undefined;

test('a page that one statement can count off is not walked to', async () => {
  const never: Step<number> = () => assert.fail('a step');
  const at = (start: number) => createWalks().to(1, { limit: 100, start }, never);
  assert.deepEqual(await at(1), { after: undefined, offset: 0, limit: 100, reached: undefined });
  assert.deepEqual(await at(101), { after: undefined, offset: 10_000, limit: 100, reached: undefined });
});

test('a walk ends at the row before the page, whatever the length of a page; past the end there is no page', async () => {
  for (const limit of [1, 7, 100, 500]) {
    const start = Math.ceil(30_000 / limit);
    const { after, reached } = await createWalks().to(1, { limit, start }, list(50_000));
    assert.deepEqual([after, reached], [(start - 1) * limit, undefined]);
  }
  const beyond = await createWalks().to(1, { limit: 100, start: 2 ** 31 }, list(50_000));
  assert.deepEqual([beyond.limit, beyond.reached], [0, undefined]);
});

test('a walk that takes too long ends at the beginning of a page, and says which', async () => {
  for (const limit of [1, 7, 100, 500]) {
    const { after, reached } = await createWalks({ walkMs: 0 }).to(1, { limit, start: 100_001 }, list(1e9));
    assert.ok(reached && after && after > 9_000 && after <= 10_000);
    assert.equal(after, (reached - 1) * limit);
  }
});

test('all walks together make one step at a time, a partner makes one walk at a time, and further ones are turned away', async () => {
  const walks = createWalks();
  let running = 0;
  const trail: number[] = [];
  const slow =
    (partner: number): Step<number> =>
    async (after = 0, rows) => {
      assert.equal(++running, 1);
      trail.push(partner);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return after + rows;
    };
  const page = { limit: 100, start: 501 };
  const walked = await Promise.allSettled([
    ...Array.from({ length: 30 }, () => walks.to(1, page, slow(1))),
    walks.to(2, page, slow(2)),
  ]);
  const turnedAway = walked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.deepEqual([turnedAway.length, walked[30]?.status], [9, 'fulfilled']);
  assert.ok(turnedAway.every((error) => error instanceof DatabaseAway));
  assert.deepEqual(
    trail.slice(0, 10),
    [1, 2, 1, 2, 1, 2, 1, 2, 1, 2],
    'the other partner waits for no walk but its own',
  );
  assert.equal((await walks.to(1, page, slow(1))).after, 50_000, 'afterwards everything is as before');
});
