import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endpoints } from '../src/api/endpoints.ts';
import { errorCodesOf } from '../src/api/openapi.ts';
import { startTestPostgres } from './support/postgres.ts';

/** `npm test`: checks, then every test against a PostgreSQL of its own. `npm test -- FILE…` runs only those files. */
const given = process.argv.slice(2);

const reporters = ['spec', './test/support/slowest-files.ts'].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
]);

let running: ChildProcess | undefined;
// Whoever stops the run stops what it is running; the database is then ended like after any failure.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => running?.kill(signal));

async function run(
  title: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  console.log(`\n# ${title}`);
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  running = child;
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${title} failed`);
}

/** Long ones first, those that mostly wait before those that compute: begun last, one of them would keep a core idle at the end. */
const FIRST = ['test/races/', 'test/browser/', 'test/process/'];
const turnOf = (file: string): number => {
  const turn = FIRST.findIndex((folder) => file.startsWith(folder));
  return turn < 0 ? FIRST.length : turn;
};

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
    .sort((a, b) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1));
}

async function recorded(record: string, kind: string): Promise<string> {
  const files = (await readdir(record)).filter((name) => name.startsWith(kind));
  return (await Promise.all(files.map((name) => readFile(join(record, name), 'utf8')))).join('');
}

/** Everything the suite logged, searched for every secret the suite issued. */
async function secretsInLogs(record: string): Promise<void> {
  const logs = await recorded(record, 'logs');
  const secrets = (await recorded(record, 'secrets')).split('\n').filter(Boolean);
  const leaked = secrets.filter((secret) => logs.includes(secret));
  if (leaked.length > 0)
    throw new Error(`${leaked.length} secrets were logged, the first ends in ${leaked[0]?.slice(-6)}`);
  console.log(`\n# no secret logged: ${secrets.length} secrets issued, ${logs.split('\n').length - 1} lines logged`);
}

/** Every code an endpoint or the router declares was answered somewhere in the suite, for a real cause and not simulated. */
async function everyCodeCaused(record: string): Promise<void> {
  const caused = new Set((await recorded(record, 'codes')).split('\n'));
  const declared = ['unknown_endpoint', 'unknown_method', ...endpoints.flatMap(errorCodesOf)];
  const missing = [...new Set(declared)].filter((code) => !caused.has(code));
  if (missing.length > 0) throw new Error(`no test caused ${missing.join(', ')}`);
  console.log(`# every error code was caused: ${new Set(declared).size}`);
}

try {
  if (given.length === 0) {
    await run('type check, lint and format', 'npm', ['run', '-s', 'check']);
    await run('the panel, built as it is now', 'npm', ['run', '-s', 'build']);
  }
  const record = await mkdtemp(join(tmpdir(), 'wayfare-record-'));
  const postgres = await startTestPostgres();
  try {
    const files = given.length > 0 ? given : await testFiles('test');
    await run(
      'tests',
      process.execPath,
      ['--test', ...reporters, '--test-concurrency=3', '--test-timeout=900000', ...files],
      {
        WAYFARE_TEST_POSTGRES: postgres.url,
        WAYFARE_TEST_RECORD: record,
        // Hundreds of processes load the same sources: each after the first finds them compiled.
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('support/quick-passwords.ts', import.meta.url)}`,
      },
    );
    await secretsInLogs(record);
    if (given.length === 0) await everyCodeCaused(record);
  } finally {
    await postgres.stop();
    await rm(record, { recursive: true, force: true });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
