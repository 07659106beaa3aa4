import { parseArgs } from 'node:util';
import { prove } from './prove.ts';

/** `npm run proof ha -- [--minutes N] [--seed N] [--only FAULT,…] [--dir FOLDER]`; see prove.ts. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string' },
    only: { type: 'string' },
    dir: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('usage: npm run proof ha -- --minutes N --seed N');
const isProved = await prove({ minutes, seed, only: values.only?.split(','), dir: values.dir });
process.exitCode = isProved ? 0 : 1;
