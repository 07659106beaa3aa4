import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedDemo } from '../../src/worlds/demo.ts';
import { record, testApp } from '../support/program/app.ts';

test('two processes that start at once on an empty database fill it once', async () => {
  await using t = await testApp();
  await using other = await t.another();
  const seeded = (await Promise.all([seedDemo(t.base), seedDemo(other.base)])).filter((demo) => demo !== undefined);
  for (const { sandboxKey, liveKey } of seeded) record('secrets', `${sandboxKey}\n${liveKey}\n`);
  assert.equal(seeded.length, 1);
});
