import { test } from 'node:test';
import { walk } from '../../../proving/chaos/walk.ts';

/** Always the same, so that a failure is caused by the change at hand. `npm run chaos` walks other ways, and further. */
const SEED = 20_260_301;
const ROUNDS = 12;
const FAULT_EVERY = 3;

test(`random operations with kills and outages leave everything as the model says (seed ${SEED})`, async (t) => {
  const isOver = (round: number) => round >= ROUNDS;
  t.diagnostic(JSON.stringify(await walk({ seed: SEED, isOver, faultEvery: FAULT_EVERY })));
});
