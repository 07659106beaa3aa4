import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCodesOf } from '../openapi/error-codes.ts';
import { endpoints } from '../src/entry/api/endpoints.ts';
import { builtProgram } from '../src/platform/start/built-program.ts';
import { beside, isBuilt } from './runner/beside.ts';
import { leaksIn } from './runner/leaks.ts';
import { needsOwnProcess, needsUnlimitedTime, planned, recordDurations, type Scope } from './runner/plan.ts';
import { runFiles } from './runner/pool.ts';
import { processorSeconds } from './runner/processor.ts';
import { Progress } from './runner/progress.ts';
import { scratchFolder } from './support/database/folder.ts';
import { startTestPostgres } from './support/database/postgres.ts';
import { debianBinary } from './support/debian/debian.ts';

/*
 * `npm test`: the quick tests, against a PostgreSQL of its own, with types, lint and format beside it.
 * `npm run test:all`: the long walks too (`runner/plan.ts`); with `-- --rest` only those, after `npm test`. `--minutes=N` begins no
 * file that would end later, going by what it took when it was recorded, and names those left out: a caller with a time limit learns
 * what was not run, instead of nothing.
 * `npm test -- FILE…`: only those files.
 */
const given = process.argv.slice(2);
const scope: Scope = given.includes('--rest') ? 'rest' : given.includes('--all') ? 'all' : 'short';
const isRecording = given.includes('--record');
const minutes = Number(
  given.find((argument) => argument.startsWith('--minutes='))?.slice('--minutes='.length) ?? Infinity,
);
const named = given.filter((argument) => !argument.startsWith('--'));

/** On a person's machine a missing program is no failure; where changes are judged nothing may be left out. */
const isJudging = process.env.CI === 'true';
/** What only root can do: become another user, make a Debian of its own. */
const MAY_BE_MISSING = /only root can/;

async function recorded(record: string, kind: string): Promise<string> {
  const files = (await readdir(record)).filter((name) => name.startsWith(kind));
  return (await Promise.all(files.map((name) => readFile(join(record, name), 'utf8')))).join('');
}

/** Everything the suite logged, searched for every secret the suite issued. */
async function secretsInLogs(record: string, progress: Progress): Promise<void> {
  const logs = await recorded(record, 'logs');
  const secrets = (await recorded(record, 'secrets')).split('\n').filter(Boolean);
  const leaked = leaksIn(Buffer.from(logs), secrets);
  if (leaked.length > 0)
    progress.note(`${leaked.length} secrets were logged, the first ends in ${leaked[0]?.slice(-6)}`, true);
  else progress.note(`no secret logged: ${secrets.length} secrets issued, ${logs.split('\n').length - 1} lines logged`);
}

/** Every code an endpoint or the router declares was answered somewhere in the suite, for a real cause and not simulated. */
async function everyCodeCaused(record: string, progress: Progress): Promise<void> {
  const caused = new Set((await recorded(record, 'codes')).split('\n'));
  const declared = ['unknown_endpoint', 'unknown_method', ...endpoints.flatMap(errorCodesOf)];
  const missing = [...new Set(declared)].filter((code) => !caused.has(code));
  if (missing.length > 0) progress.note(`no test caused ${missing.join(', ')}`, true);
  else progress.note(`every error code was caused: ${new Set(declared).size}`);
}

async function check(progress: Progress): Promise<void> {
  const failure = await beside('npm', ['run', '-s', 'check']);
  progress.note(`types, lint and format${failure ? `\n${failure}` : ' are right'}`, failure !== undefined);
}

let isStopped = false;

/** Loaded where it is needed: it is larger than everything else here. */
const openBrowser = async () => (await import('./support/browser/browser.ts')).serveBrowser();

/** Files whose tests open pages. */
const opensPages = (file: string): boolean => /^test\/(walks\/browser\/|proving\/attack\/long-in-browser)/.test(file);

// In memory where there is plenty: tests make tens of thousands of temporary files.
const scratch = await scratchFolder('wayfare-run-');
await chmod(scratch, 0o711);
const record = join(scratch, 'record');
await mkdir(record);
const files = await planned(named.length > 0 ? named : scope);
const postgres = await startTestPostgres();
const browser = [...files.keys()].some(opensPages) ? await openBrowser() : undefined;
try {
  const progress = new Progress(files);
  if (named.length === 0 && !(await isBuilt())) {
    const failure = await beside('npm', ['run', '-s', 'build']);
    progress.note(`the pages, built as they are now${failure ? `\n${failure}` : ''}`, failure !== undefined);
  }
  // Processes under test run what an installation runs, and start in less time.
  if (!builtProgram()) {
    const failure = await beside('node', ['build/program.ts']);
    progress.note(`the program, built as it is now${failure ? `\n${failure}` : ''}`, failure !== undefined);
  }
  const checked = named.length === 0 && scope !== 'rest' ? check(progress) : undefined;
  const env = {
    ...process.env,
    WAYFARE_TEST_POSTGRES: postgres.url,
    WAYFARE_TEST_RECORD: record,
    TMPDIR: scratch,
    WAYFARE_TEST_PORTS: join(tmpdir(), `wayfare-test-ports-${process.getuid?.()}`),
    ...(browser && { WAYFARE_TEST_BROWSER: browser.wsEndpoint() }),
    // Many processes load the same sources: each after the first finds them compiled.
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL('support/program/quick-passwords.ts', import.meta.url)}`,
  };
  const hasTimeFor = (file: string) =>
    minutes === Infinity ||
    (!needsUnlimitedTime(file) && performance.now() / 1000 + (files.get(file) ?? 0) <= minutes * 60);
  // Without pages there is one more: no browser computes beside it.
  const more = browser ? {} : { workers: 4 };
  let pool = runFiles([...files.keys()], env, needsOwnProcess, progress, { hasTimeFor, ...more });
  // Stopping the run stops its processes; the database is then ended as after any failure.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      isStopped = true;
      progress.note('stopped', true);
      pool.stop();
    });
  await pool.finished;
  pool = runFiles(isStopped ? [] : progress.secondTry(), env, needsOwnProcess, progress, { workers: 1 });
  await pool.finished;
  await checked;
  await secretsInLogs(record, progress);
  if (named.length === 0 && scope !== 'rest') await everyCodeCaused(record, progress);
  if (isJudging && progress.skips.some((skip) => !MAY_BE_MISSING.test(skip))) progress.note('tests were skipped', true);
  progress.end({ all: processorSeconds(process.pid), database: processorSeconds(postgres.pid) });
  if (isRecording) await recordDurations(progress.took);
  if (progress.failed > 0) process.exitCode = 1;
} finally {
  await browser?.close();
  await postgres.stop();
  // After a run that was stopped, a server may still be writing there.
  await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {});
}

// On the PostgreSQL that operators have, too: a run of its own, after the one whose server has just ended.
if (named.length === 0 && scope === 'all' && !isStopped) {
  const missing = await debianBinary('postgres').then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (missing !== undefined) console.log(`# skipped: on Debian's PostgreSQL: ${missing}`);
  else {
    const child = spawn(process.execPath, [resolve('test/debian-postgres.ts'), '--few'], { stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0) process.exitCode = 1;
  }
  if (missing !== undefined && isJudging) process.exitCode = 1;
}
