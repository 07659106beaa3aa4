import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { machine } from '../test/support/program/machine.ts';

/*
 * Starts a program that measures or stress-tests the whole server: `node proving/run.ts bench edge`, `node proving/run.ts chaos --minutes 10`. The
 * npm scripts bench, proof, chaos, attack, fuzz and soak call it. A program runs when it is imported, and finds its own arguments where
 * it would if it had been started directly.
 */
const here = import.meta.dirname;
const kinds = globSync('*/run.ts', { cwd: here }).map((file) => file.split('/')[0] ?? '');
const benches = globSync('*.ts', { cwd: `${here}/bench` }).map((file) => basename(file, '.ts'));
const [kind = '', ...rest] = process.argv.splice(2, 1).concat(process.argv.slice(2));

if (kind === 'bench' && benches.includes(rest[0] ?? '')) {
  console.log(`$ npm run bench ${rest.join(' ')}`);
  console.log(`${machine()}\n`);
  await import(`./bench/${rest[0]}.ts`);
} else if (kinds.includes(kind)) {
  await import(`./${kind}/run.ts`);
} else {
  console.error(
    `usage: npm run bench ${benches.sort().join('|')}\n       npm run proof ha|scale\n       npm run chaos|attack|fuzz|soak`,
  );
  process.exitCode = 2;
}
