import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routedWalk } from './routed-walk.ts';

test('whatever suppliers answer and whenever processes die, no routed order is bought twice, none fails that a supplier could deliver, and costs equal the suppliers’ books', {
  timeout: 300_000,
}, async (t) => {
  const walked = await routedWalk({ orders: 600, seed: 20_261_116 });
  assert.ok(walked.routed > 100 && walked.killed > 0 && walked.failed > 0, JSON.stringify(walked));
  t.diagnostic(JSON.stringify(walked));
});
