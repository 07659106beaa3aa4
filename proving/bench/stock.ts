import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { openBase } from '../../src/worlds/base.ts';
import { csvOf, newItems, PLAN, stockPlans } from '../../test/support/suppliers/stock-shop.ts';
import { benchDatabase } from './support/database.ts';

/** 100,000 items into an empty stock and into one with as many, from CSV and JSON, by the command. */
const ITEMS = 100_000;
const LIMIT_S = 10;

await using database = await benchDatabase();
const env = { ...process.env, DATABASE_URL: database.url, WAYFARE_DATA: database.folder, LOG_LEVEL: 'silent' };
{
  await using base = await openBase({
    config: readConfig(env),
    clock: systemClock,
    log: createLog('silent'),
    as: 'migrator',
  });
  await stockPlans(base);
}
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
for (const [name, text] of [
  ['CSV', csvOf(newItems(ITEMS))],
  ['JSON', JSON.stringify(newItems(ITEMS), null, 1)],
] as const) {
  const file = join(database.folder, `items-${name}`);
  await writeFile(file, text);
  const started = performance.now();
  const words = ['stock', 'import', file, '--supplier', 'depot', '--plan', PLAN, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
  const seconds = (performance.now() - started) / 1000;
  const met = seconds <= LIMIT_S ? 'met' : 'missed';
  console.log(`${name}, ${JSON.parse(stdout).items} items: ${seconds.toFixed(1)} s, of ${LIMIT_S} s allowed (${met})`);
  if (seconds > LIMIT_S) process.exitCode = 1;
}
