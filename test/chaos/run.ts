import { parseArgs } from 'node:util';
import { walk } from './walk.ts';

/** `npm run chaos -- --seed N --minutes M [--fault-every ROUNDS]` */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string' }, 'fault-every': { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const faultEvery = Number(values['fault-every'] ?? 10);
const minutes = Number(values.minutes ?? 5);
if (!Number.isInteger(seed) || !(minutes > 0)) throw new Error('usage: npm run chaos -- --seed N --minutes M');
console.log(`seed ${seed}, ${minutes} minutes`);
let end: number | undefined;
// Ctrl-C ends the walk with its last checks, and leaves nothing running.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    end = 0;
  });
const isOver = () => {
  // From the first round on: starting takes its own time.
  end ??= Date.now() + minutes * 60_000;
  return Date.now() > end;
};
try {
  await walk({ seed, faultEvery, isOver, say: (line) => console.log(line) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
