import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from './support/app.ts';

/** Processor time, so that a busy machine makes no difference; the least of a few, so that a collection of garbage makes none. */
const LIMIT_MS = 250;

test('once the program is loaded, a start takes at most a quarter of a second of processor time', async (t) => {
  const starts: number[] = [];
  for (let n = 0; n < 4; n++) {
    const before = process.cpuUsage();
    await using _app = await testApp();
    const { user, system } = process.cpuUsage(before);
    starts.push((user + system) / 1_000);
  }
  const least = Math.min(...starts);
  t.diagnostic(`a start takes ${least.toFixed()} ms of processor time`);
  assert.ok(least <= LIMIT_MS, `${least.toFixed()} ms`);
});
