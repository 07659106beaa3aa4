import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { type Job, runJobs } from '../../../src/platform/jobs/runner.ts';
import { createLog } from '../../../src/platform/log.ts';
import { eventually } from '../../support/eventually.ts';

const log = createLog('error', () => {});

test('a start runs no job at once: each first looks for work after its pause, at most five seconds later', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const looked: string[] = [];
  const job = (name: string, everyMs: number): Job => ({
    name,
    everyMs,
    async run() {
      looked.push(name);
      return 0;
    },
  });
  const runner = runJobs([job('hourly', HOUR), job('quick', 2 * SECOND)], log);
  const after = async (ms: number) => {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    return looked.splice(0);
  };
  assert.deepEqual(await after(2 * SECOND - 1), []);
  assert.deepEqual(await after(1), ['quick']);
  assert.deepEqual(await after(2 * SECOND), ['quick']);
  assert.deepEqual(await after(1 * SECOND - 1), []);
  assert.deepEqual(await after(1), ['hourly']);
  const all = runner.wakeAll();
  await new Promise(setImmediate);
  await all;
  assert.deepEqual(looked.toSorted(), ['hourly', 'quick']);
  await runner.close();
});

test('jobs woken before their first look begin at once, one after the other, and one whose first batch takes long holds up no other', async () => {
  const [began, atWork] = [[] as string[], { now: 0, most: 0 }];
  const slow = Promise.withResolvers<number>();
  const job = (name: string, run: Job['run']): Job => ({ name, everyMs: 1 * MINUTE, run });
  const quick = (name: string) =>
    job(name, async () => {
      began.push(name);
      atWork.most = Math.max(atWork.most, ++atWork.now);
      await new Promise(setImmediate);
      atWork.now--;
      return 0;
    });
  const failing = job('failing', async () => {
    began.push('failing');
    throw new Error('not now');
  });
  const runner = runJobs(
    [quick('a'), failing, quick('b'), job('slow', () => slow.promise), quick('c'), quick('d')],
    log,
  );
  for (const name of ['a', 'failing', 'b', 'slow', 'c', 'd']) runner.wake(name);
  await eventually('all have begun', async () => began.length === 5);
  assert.deepEqual([began, atWork.most], [['a', 'failing', 'b', 'c', 'd'], 1]);
  slow.resolve(0);
  await runner.close();
});

test('jobs that have not begun when the process stops do not begin', async () => {
  const began: string[] = [];
  const first = Promise.withResolvers<number>();
  const begin = (name: string, batch: Promise<number>): Job => ({
    name,
    everyMs: 1 * MINUTE,
    run() {
      began.push(name);
      return batch;
    },
  });
  const runner = runJobs([begin('a', first.promise), begin('b', Promise.resolve(0))], log);
  for (const name of ['a', 'b']) runner.wake(name);
  await eventually('the first has begun', async () => began.length === 1);
  const closed = runner.close();
  first.resolve(0);
  await closed;
  assert.deepEqual(began, ['a']);
});
