import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What only `npm run test:all` runs: walks through everything there is, one step at a time, and programs that are not ours. Most
 * rules they meet on the way have a test of their own in `npm test`.
 */
const ONLY_IN_ALL: readonly [beginning: string | RegExp, why: string][] = [
  ['test/walks/browser/', 'pages, opened and used in Chromium: every role and state, in both themes and widths'],
  [/killed/, 'what is written, with kills at every step: purchases, refunds, cancels, deliveries, mails, moves'],
  ['test/walks/races/money-pairs', 'every pair of actions that move money, several of each at once, in both worlds'],
  ['test/domains/supply/partner-v3-list', 'a list of 10,000 plans, from one installation to the next'],
  ['test/proving/attack/long', 'attacks in their long form'],
  ['test/proving/chaos/', 'a random walk with kills, beside an independent model'],
  ['test/proving/fuzz/fuzz.test', 'generated requests against a server of their own'],
  ['test/deploy', 'files for systemd, Prometheus and Caddy, judged by these programs'],
  ['test/entry/api/gates/shared-quota', 'a real Redis'],
  ['test/platform/limits/rate-limit-redis', 'a real Redis'],
  [
    'test/walks/process/',
    'the program as a process: started, stopped, killed, backed up, behind nginx, PgBouncer and HAProxy, as another user',
  ],
  ['test/walks/examples/example-programs', 'the example programs, in their languages'],
  ['test/walks/examples/shop-day', 'a day of 1,000 orders in the example shop, in both worlds'],
  ['test/walks/examples/verify-examples', 'the samples, in their languages'],
  ['test/walks/examples/collection', 'the collection, run by newman'],
  ['test/entry/api/endpoints/description', 'the description, judged by tools from outside'],
  ['test/sdk/package', 'the SDK, packed and installed'],
  ['test/sdk/cases', 'one table of cases, run by the SDKs of three languages'],
  ['test/sdk/php-and-python', 'the packages for PHP and Python, installed and used as their READMEs say'],
  ['test/sdk/hover', 'what an editor shows of the SDK, by a TypeScript from outside'],
];

/** Files that change what all of a process shares, or whose processes are long enough to pay for their own start. */
const OWN_PROCESS = [
  'test/domains/partners/people/password',
  // Traces are of a whole process.
  'test/platform/traces/traces.test',
  'test/walks/races/',
  'test/walks/process/',
  'test/proving/chaos/',
  'test/proving/attack/',
  'test/proving/fuzz/fuzz.test',
];

/** Left out of a run with a time limit: it takes as long as many others together, and most of that is fetching packages. */
const UNLIMITED_ONLY = ['test/walks/process/install'];

const RECORD = 'test/runner/durations.json';
/** The assumed duration of a file without a recorded one. */
const UNKNOWN_SECONDS = 5;

const begins = (file: string) => (beginning: string) => file.startsWith(beginning);
export const needsUnlimitedTime = (file: string): boolean => UNLIMITED_ONLY.some(begins(file));
export const needsOwnProcess = (file: string): boolean => OWN_PROCESS.some(begins(file));

export type Scope = 'short' | 'rest' | 'all';

/** Test files with the seconds they took when they were recorded, longest first: begun last, a long one would keep a core idle. */
export async function planned(scope: Scope | readonly string[]): Promise<ReadonlyMap<string, number>> {
  const known = await recorded();
  const isShort = (file: string) =>
    !ONLY_IN_ALL.some(([named]) => (typeof named === 'string' ? file.startsWith(named) : named.test(file)));
  const all = typeof scope === 'string' ? await testFiles() : scope;
  const wanted: Readonly<Record<Scope, (file: string) => boolean>> = {
    short: isShort,
    rest: (file) => !isShort(file),
    all: () => true,
  };
  const files = typeof scope === 'string' ? all.filter(wanted[scope]) : all;
  return new Map(
    files.map((file): [string, number] => [file, known[file] ?? UNKNOWN_SECONDS]).sort(([, a], [, b]) => b - a),
  );
}

const recorded = async (): Promise<Readonly<Record<string, number>>> =>
  JSON.parse(await readFile(RECORD, 'utf8').catch(() => '{}'));

async function testFiles(): Promise<string[]> {
  const entries = await readdir('test', { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => join('test', name))
    .sort();
}

/** Files that were not run keep their recorded duration; deleted files are dropped. */
export async function recordDurations(took: readonly { file: string; undisturbed: number }[]): Promise<void> {
  const now = new Map(took.map(({ file, undisturbed }) => [file, Math.round(undisturbed * 10) / 10]));
  const before = await recorded();
  const sorted = (await testFiles()).flatMap((file): [string, number][] => {
    const seconds = now.get(file) ?? before[file];
    return seconds === undefined ? [] : [[file, seconds]];
  });
  await writeFile(RECORD, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
