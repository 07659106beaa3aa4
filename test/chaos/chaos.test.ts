import { test } from 'node:test';
import { walk } from './walk.ts';

/** A seed that never changes, so that a failure is the change's, and one of the day, so that the walk goes new ways. */
const seeds = { fixed: 20_260_301, today: Math.floor(Date.now() / 86_400_000) };
const ROUNDS = 12;
const FAULT_EVERY = 3;

for (const [name, seed] of Object.entries(seeds))
  test(`random operations with kills and outages leave everything as the model says (${name}, seed ${seed})`, async (t) => {
    const isOver = (round: number) => round >= ROUNDS;
    t.diagnostic(JSON.stringify(await walk({ seed, isOver, faultEvery: FAULT_EVERY })));
  });
