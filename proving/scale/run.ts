import { parseArgs } from 'node:util';
import { prove } from './prove.ts';

/**
 * `npm run proof scale -- [--orders N] [--beside N] [--partners N] [--deliveries N] [--calls N] [--dir FOLDER] [--only-build] [--only PATTERN]`;
 * see prove.ts. With `--dir`, `--only-build` builds both databases on a machine that may be busy; the same command without it
 * measures them, when it is quiet.
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000000' },
    beside: { type: 'string', default: '1000000' },
    partners: { type: 'string', default: '10000' },
    deliveries: { type: 'string', default: '3' },
    calls: { type: 'string', default: '25' },
    dir: { type: 'string' },
    only: { type: 'string' },
    'only-build': { type: 'boolean', default: false },
  },
});
const [orders, beside, partners, deliveries, calls] = [
  values.orders,
  values.beside,
  values.partners,
  values.deliveries,
  values.calls,
].map(Number) as [number, number, number, number, number];
if (!(beside > 0 && orders > beside && partners > 2 && deliveries >= 0 && deliveries <= 3 && calls > 0))
  throw new Error('usage: npm run proof scale -- --orders N --beside FEWER');
const isProved = await prove({
  orders,
  beside,
  partners,
  deliveries,
  calls,
  dir: values.dir,
  only: values.only === undefined ? undefined : new RegExp(values.only),
  onlyBuild: values['only-build'],
});
process.exitCode = isProved ? 0 : 1;
