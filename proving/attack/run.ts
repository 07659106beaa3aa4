import { parseArgs } from 'node:util';
import '../../test/support/program/quick-passwords.ts';
import { startTestPostgres } from '../../test/support/database/postgres.ts';
import { attacks } from './attacks.ts';
import { sharedScene } from './scene.ts';

/** `npm run attack [NAME…] [-- --long]`: runs attacks against a server of their own, and says what each tried and what held. */
const { values, positionals } = parseArgs({ options: { long: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((name) => attacks.every((attack) => attack.name !== name));

if (unknown.length > 0) {
  console.error(`usage: npm run attack [${attacks.map(({ name }) => name).join('|')}] [-- --long]`);
  process.exitCode = 1;
} else {
  const postgres = await startTestPostgres();
  process.env.WAYFARE_TEST_POSTGRES = postgres.url;
  const scene = sharedScene();
  try {
    for (const { name, tries, run } of attacks) {
      if (positionals.length > 0 && !positionals.includes(name)) continue;
      console.log(`\n${name}: ${tries}`);
      const began = performance.now();
      const size = values.long ? 'long' : 'short';
      try {
        await run({ size, held: (what) => console.log(`  held: ${what}`), scene: scene.open });
        console.log(`  in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      } catch (error) {
        console.error('  DID NOT HOLD:', error);
        process.exitCode = 1;
      }
    }
  } finally {
    await scene[Symbol.asyncDispose]();
    await postgres.stop();
  }
}
