import { globSync } from 'node:fs';

/**
 * `npm run test:debian-postgres`: what talks to PostgreSQL, on the one that Debian packages instead of ours: an earlier version, which
 * compiles plans. `-- FILE…` runs only those files; `-- --few` what `npm run test:all` runs: where plans and locks matter most.
 * `WAYFARE_TEST_SERVER=debian npm run bench NAME` measures on it.
 */
const FEW = ['db', 'money', 'purchase', 'orders', 'webhooks', 'insight'];
const FOLDERS = [
  'db',
  'money',
  'purchase',
  'races',
  'orders',
  'refunds',
  'revenue-share',
  'topups',
  'usage',
  'webhooks',
  'catalog',
  'pricing',
  'insight',
  'keys',
  'people',
  'request-log',
  'cli',
];

process.env.WAYFARE_TEST_SERVER = 'debian';
if (process.argv.includes('--few'))
  process.argv.push('test/walks/races/purchase.test.ts', ...FEW.flatMap(testsIn).sort());
else if (process.argv.length === 2)
  process.argv.push(
    'test/platform/measure/database-settings.test.ts',
    'test/platform/measure/metrics.test.ts',
    ...FOLDERS.flatMap(testsIn).sort(),
  );
await import('./run.ts');

function testsIn(folder: string): string[] {
  // What is cut at every step is cut in our code: another server has nothing to add.
  const found = globSync(`test/${folder}/**/*.test.ts`).filter((file) => !file.includes('killed-anywhere'));
  if (found.length === 0) throw new Error(`there are no tests in test/${folder}: it was moved`);
  return found;
}
