import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addWalk, GOAL, readWalks, totalsOf, type WalkRow } from './report.ts';
import { type Walked, walk } from './walk.ts';

/*
 * npm run chaos -- [--seed N] [--minutes M] [--fault-every ROUNDS] [--crowd N]      one walk
 * npm run chaos -- --resume [--minutes M] [--seed N] …                             walks until the goal is reached
 *
 * A walk cannot be resumed half-way: its model belongs to one installation. With --resume each walk takes the next
 * seed (from N on, so that several can walk at the same time), and docs/proofs/chaos.md adds up what all of them did. Ctrl-C ends
 * the walk with its last checks.
 */
const REPORT = fileURLToPath(new URL('../../docs/proofs/chaos.md', import.meta.url));
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    'fault-every': { type: 'string' },
    crowd: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
});
const { resume } = values;
const given = Number(values.seed ?? Date.now() % 1_000_000);
const faultEvery = Number(values['fault-every'] ?? 4);
const minutes = Number(values.minutes ?? 5);
const crowd = Number(values.crowd ?? 30);
if (!Number.isInteger(given) || !Number.isInteger(crowd) || !(minutes > 0) || !(faultEvery > 0))
  throw new Error('usage: npm run chaos -- [--resume] [--seed N] [--minutes M] [--fault-every ROUNDS] [--crowd N]');

let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true;
  });

const asText = (count: number) => count.toLocaleString('en-US');

/** One walk, with its progress and how long the rest takes at this speed. */
async function walkOnce(seed: number): Promise<WalkRow> {
  const before = totalsOf(await readWalks(REPORT));
  const startedAt = Date.now();
  let end: number | undefined;
  let last: Walked | undefined;
  const took = () => (Date.now() - startedAt) / 60_000;
  console.log(`seed ${seed}, ${minutes} minutes`);
  const row = (result: string): WalkRow => {
    const { rounds = 0, operations = 0, faults = 0, orders = 0, events = 0 } = last ?? {};
    const date = new Date(startedAt).toISOString().slice(0, 10);
    return { seed, date, minutes: Math.round(took()), rounds, operations, faults, orders, events, result };
  };
  try {
    await walk({
      seed,
      faultEvery,
      crowd,
      // From the first round on: starting takes its own time.
      isOver() {
        end ??= Date.now() + minutes * 60_000;
        return isStopped || Date.now() > end;
      },
      told(walked) {
        last = walked;
        const {
          rounds,
          operations,
          orders,
          events,
          faults,
          replaced,
          switched,
          refilled,
          stopped,
          helps,
          documents,
          busy,
        } = walked;
        const speed = operations / took();
        const left = resume
          ? (GOAL.operations - before.operations - operations) / speed
          : Math.max(0, ((end ?? 0) - Date.now()) / 60_000);
        const estimate =
          operations > 0 ? `about ${asText(Math.max(0, Math.round(left)))} minutes left` : 'no estimate yet';
        console.log(
          `${rounds} rounds, ${asText(operations)} operations, ${orders} orders, ${events} events, ${replaced} eSIMs replaced, ${switched} times switched, ${refilled} refills bought by eSIMs, ${stopped} rules stopped, help asked for ${helps} times, ${documents} invoices, ${faults} faults, ${busy} times too busy: all as it must be; ` +
            `${Math.round(speed)} operations a minute, ${estimate}`,
        );
      },
    });
    return row('0 wrong');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
    return row('wrong');
  }
}

function nextSeed(done: readonly WalkRow[]): number {
  const taken = new Set(done.map(({ seed }) => seed));
  let next = values.seed === undefined ? Math.max(0, ...taken) + 1 : given;
  while (taken.has(next)) next++;
  return next;
}

if (!resume) await walkOnce(given);
else
  for (;;) {
    const done = await readWalks(REPORT);
    const { operations, faults } = totalsOf(done);
    if (isStopped || process.exitCode === 1 || (operations >= GOAL.operations && faults >= GOAL.faults)) break;
    await addWalk(REPORT, await walkOnce(nextSeed(done)));
  }
