import { namedProgram } from '../../test/support/named-program.ts';
import { machine } from '../../test/support/program/machine.ts';

/** `npm run bench edge` */
const bench = namedProgram('bench', import.meta.url);
if (bench) {
  console.log(`$ npm run bench ${process.argv.slice(2).join(' ')}`);
  console.log(`${machine()}\n`);
  await import(bench);
}
