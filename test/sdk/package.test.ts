import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { examplesText, schemaText } from '../../sdk/generate.ts';
import { testFolder } from '../support/folder.ts';
import { installSdk } from '../support/installed-sdk.ts';
import { outsideMissing } from '../support/outside.ts';
import { freshDatabase } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const file = (path: string) => readFile(join(root, path), 'utf8');

test('the types and the examples are made from the current description', async (t) => {
  assert.equal(await file('sdk/src/examples.ts'), await examplesText(), 'run `npm run sdk` and commit the result');
  const missing = await outsideMissing();
  if (missing) return t.skip(missing);
  assert.equal(await file('sdk/src/schema.ts'), await schemaText(), 'run `npm run sdk` and commit the result');
});

test('the SDK has no dependency, and its sources import nothing but each other', async () => {
  const manifest = JSON.parse(await file('sdk/package.json'));
  assert.deepEqual(
    Object.keys(manifest).filter((name) => /dependencies/i.test(name)),
    [],
  );
  const bundle = await rolldown({ input: join(root, 'sdk/src/testing.ts'), external: (id) => !/^[./]/.test(id) });
  const { output } = await bundle.generate();
  assert.deepEqual(output[0].imports, []);
});

test('the client with everything in it is smaller than 12 kB compressed', async () => {
  const bundle = await rolldown({ input: join(root, 'sdk/src/wayfare.ts') });
  const { output } = await bundle.generate({ minify: true });
  assert.deepEqual(output[0].imports, []);
  const bytes = gzipSync(output[0].code).length;
  assert.ok(bytes > 1_000 && bytes < 12_000, `${bytes} bytes`);
});

suite('the package as it is published', () => {
  const opened = new AsyncDisposableStack();
  let folder = '';
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = opened.use(await testFolder(0o755)).path;
    await installSdk(folder);
    const database = await freshDatabase();
    opened.defer(() => database.drop());
    const settings = { DATABASE_URL: database.url, WAYFARE_DEMO: 'on' };
    const server = opened.use(await ServerProcess.start({ dataDir: join(folder, 'data'), env: settings }));
    const key = /\besk_test_\w+/.exec(await server.banner())?.[0] ?? '';
    env = { PATH: process.env.PATH, WAYFARE_KEY: key, WAYFARE_URL: server.urls.sandbox, PORT: '0' };
    env.WEBHOOK_SECRET = `whsec_${'0'.repeat(64)}`;
  });
  after(() => opened.disposeAsync());

  /** What the README says each of its programs prints. */
  const prints: readonly (readonly [string, RegExp])[] = [
    ['buy', /^To install: http\S+\n$/],
    ['refusals', /^Top up \d+\.\d\d USD\n$/],
    ['retries', /^true\n$/],
    ['lists', /^(\d+ .+\n)+$/],
    ['time-outs', /^\d+(\.\d+)?\n$/],
    ['webhooks', /^$/],
    ['tests', /^12\.5\ninsufficient_balance\n\[ 'account_balance', 'purchase_buy' \]\norder\.delivered\n$/],
  ];

  test("every program in the README compiles against the package's types and does what it says", async () => {
    const readme = await file('sdk/README.md');
    const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
    assert.equal(programs.length, prints.length);
    assert.ok((await file('README.md')).includes(programs[0] ?? '?'), 'the main README shows the first one');
    for (const [i, text] of programs.entries()) await writeFile(join(folder, `${prints[i]?.[0]}.ts`), text);
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
      'false',
    ];
    const options = ['--noEmit', ...strict, '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    const files = prints.map(([name]) => `${name}.ts`);
    await run(join(root, 'node_modules/.bin/tsc'), [...options, ...files], { cwd: folder }).catch((error) =>
      assert.fail(error.stdout),
    );
    for (const [name, wanted] of prints) {
      const { stdout } = await run(process.execPath, [`${name}.ts`], { cwd: folder, env });
      assert.match(stdout, wanted, name);
    }
  });

  test('it runs on Node 20', async (t) => {
    const version = await run('/usr/bin/env', [
      '-i',
      `PATH=${withoutOurs(process.env.PATH)}`,
      'node',
      '--version',
    ]).catch(() => ({ stdout: 'none' }));
    if (!version.stdout.startsWith('v20.')) return t.skip(`the Node installed here is ${version.stdout.trim()}`);
    const text = `import { Wayfare } from '@wayfare/sdk';
import { FakeWayfare } from '@wayfare/sdk/testing';
const wayfare = new Wayfare({ key: process.env.WAYFARE_KEY, baseUrl: process.env.WAYFARE_URL });
const fake = await new FakeWayfare().client.account.balance();
console.log(process.version, (await wayfare.account.pricing()).result, fake.result);`;
    await writeFile(join(folder, 'old.js'), text);
    const { stdout } = await run('node', ['old.js'], { cwd: folder, env: { ...env, PATH: withoutOurs(env.PATH) } });
    assert.match(stdout, /^v20\S+ ok ok\n$/);
  });
});

/** The system's own programs: the lock file's Node comes first in the path while tests run. */
const withoutOurs = (path = ''): string =>
  path
    .split(':')
    .filter((one) => !one.includes('node_modules'))
    .join(':');
