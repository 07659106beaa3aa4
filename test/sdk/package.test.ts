import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { nodeReceiver } from '../../sdk/src/wayfare.ts';
import { testFolder } from '../support/database/folder.ts';
import { freshDatabase } from '../support/database/postgres.ts';
import { copySdk, installSdk, node20 } from '../support/debian/installed-sdk.ts';
import { wayfare } from '../support/program/cli.ts';
import { ServerProcess } from '../support/program/server-process.ts';
import { until } from '../support/servers/receiver.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const file = (path: string) => readFile(join(root, path), 'utf8');

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
    const settings = { DATABASE_URL: database.url, WAYFARE_DEMO: 'on', WEBHOOK_TRUSTED_HOSTS: 'localhost:9' };
    const server = opened.use(await ServerProcess.start({ dataDir: join(folder, 'data'), env: settings }));
    const key = /\besk_test_\w+/.exec(await server.banner())?.[0] ?? '';
    env = { PATH: process.env.PATH, WAYFARE_KEY: key, WAYFARE_URL: server.urls.sandbox, PORT: '0' };
    env.WEBHOOK_SECRET = `whsec_${'0'.repeat(64)}`;
    // Without a subscription no event is logged, and none can be forwarded.
    const hook = ['--url', 'http://localhost:9/', '--events', 'order.refunded'];
    const create = ['webhook', 'create', '--partner', '1', '--mode', 'sandbox', ...hook, '--json'];
    await wayfare({ ...settings, WAYFARE_DATA: join(folder, 'data') }, ...create);
  });
  after(() => opened.disposeAsync());

  /** What the README says each of its programs prints. */
  const prints: readonly (readonly [string, RegExp])[] = [
    ['buy', /^To install: http\S+\n$/],
    ['refusals', /^Top up \d+\.\d\d USD\n$/],
    ['response', /^\d+(\.\d+)? \S+ \d+ application\/json; charset=utf-8\n$/],
    ['hooks', /^account\/pricing attempt 1: 200 \S+\n$/],
    ['retries', /^true\n$/],
    ['lists', /^(\d+ .+\n)+The latest \d+ orders\n$/],
    ['time-outs', /^\d+(\.\d+)?\n$/],
    ['request', /^\d+(\.\d+)?\n$/],
    ['webhooks', /^$/],
    [
      'tests',
      /^12\.5\nesc_0123456789abcdef booking-4711\ninsufficient_balance\n\[ 'account_balance', 'purchase_buy', 'purchase_buy' \]\norder\.delivered\n$/,
    ],
  ];

  test("every program in the README compiles against the package's types and does what it says", async () => {
    const readme = await file('sdk/README.md');
    const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
    assert.equal(programs.length, prints.length);
    assert.ok(
      (await file('docs/getting-started.md')).includes(programs[0] ?? '?'),
      'getting started shows the first one',
    );
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

  test('with the module resolution node16 it compiles and runs both as an ES module and as CommonJS', async () => {
    const program = (load: (name: string) => string) => `${load('@wayfare/sdk')}
${load('@wayfare/sdk/testing')}
const wayfare = new Wayfare({ key: process.env.WAYFARE_KEY, baseUrl: process.env.WAYFARE_URL });
async function main(): Promise<void> {
  const error = await wayfare.order.detail(999999).catch((thrown: unknown) => thrown);
  const code: 'order_not_found' | undefined =
    error instanceof WayfareError && error.code === 'order_not_found' ? error.code : undefined;
  const { balance }: { balance: number } = await new FakeWayfare().client.account.balance();
  console.log(code, typeof balance);
}
void main();
`;
    const names = (from: string) => (from === '@wayfare/sdk' ? '{ Wayfare, WayfareError }' : '{ FakeWayfare }');
    const forms = {
      'esm.mts': program((from) => `import ${names(from)} from '${from}';`),
      'cjs.cts': program((from) => `import ${names(from)} from '${from}';`),
      'required.cts': program(
        (from) =>
          `import ${from.replace(/\W/g, '')} = require('${from}');\nconst ${names(from)} = ${from.replace(/\W/g, '')};`,
      ),
    };
    for (const [name, text] of Object.entries(forms)) await writeFile(join(folder, name), text);
    const options = [
      '--strict',
      '--skipLibCheck',
      'false',
      '--module',
      'node16',
      '--target',
      'es2022',
      '--types',
      'node',
    ];
    await run(join(root, 'node_modules/.bin/tsc'), [...options, '--outDir', 'out', ...Object.keys(forms)], {
      cwd: folder,
    }).catch((error) => assert.fail(error.stdout));
    const old = await node20();
    for (const node of [process.execPath, ...(old ? [old] : [])])
      for (const name of ['esm.mjs', 'cjs.cjs', 'required.cjs']) {
        const { stdout } = await run(node, [join('out', name)], { cwd: folder, env });
        assert.equal(stdout, 'order_not_found number\n', name);
      }
    assert.match(await readFile(join(folder, 'out/cjs.cjs'), 'utf8'), /require\("@wayfare\/sdk"\)/);
  });

  suite('wayfare-dev, the command that comes with it', () => {
    /** As `npx` starts it. */
    async function command(words: string[], more: NodeJS.ProcessEnv = {}, node = process.execPath) {
      const program = join(folder, 'node_modules/.bin/wayfare-dev');
      const ran = run(node, [program, ...words], { cwd: folder, env: { ...env, ...more } });
      return ran.then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }) as { code: number; stdout: string; stderr: string },
      );
    }

    test('npx finds it by the name of the package', async () => {
      const { stdout } = await run('npx', ['--no-install', '@wayfare/sdk', '--version'], { cwd: folder, env });
      assert.equal(stdout.trim(), JSON.parse(await file('sdk/package.json')).version);
    });

    test('help names the commands, the two settings, and fits a terminal of 80 columns', async () => {
      for (const words of [['--help'], [], ['listen', '--help'], ['trigger', '--help'], ['mcp', '--help']]) {
        const { code, stdout } = await command(words);
        assert.equal(code, 0);
        assert.ok(Math.max(...stdout.split('\n').map((line) => line.length)) <= 80, stdout);
        assert.match(stdout, /WAYFARE_KEY/);
        assert.match(stdout, /WAYFARE_URL/);
      }
    });

    test('a wrong command line ends with 2 and one line that says what is wrong, a refusal with 1', async () => {
      const forward = ['listen', '--forward', 'http://localhost:9/hook'];
      for (const [words, more, code, said] of [
        [['listen', '--forward', 'ftp://x'], {}, 2, '--forward: "ftp://x" is not an http or https address'],
        [['listen'], {}, 2, '--forward is missing'],
        [forward, { WAYFARE_KEY: '' }, 2, 'there is no API key: set WAYFARE_KEY, or give --key'],
        [['mcp'], { WAYFARE_KEY: undefined }, 2, 'there is no API key: set WAYFARE_KEY, or give --key'],
        [forward, { WAYFARE_URL: 'x' }, 2, 'WAYFARE_URL: "x" is not an http or https address'],
        [['nothing'], {}, 2, 'there is no command "nothing"; try --help'],
        [['trigger', 'order.lost'], {}, 2, '"order.lost" is unknown: order.created, '],
        [['trigger', 'order.paid', '--nothing'], {}, 2, "Unknown option '--nothing'"],
        [forward, { WAYFARE_KEY: `esk_${'0'.repeat(40)}` }, 1, 'this command needs a sandbox key (esk_test_…)'],
        [['trigger', 'order.paid'], { WAYFARE_KEY: 'esk_test_wrong' }, 1, 'webhook/list was refused with 401 '],
        [['mcp'], { WAYFARE_KEY: 'esk_test_wrong' }, 1, 'Send a valid API key'],
        [['mcp', '--url', env.WAYFARE_URL?.replace('/v3', '') ?? ''], {}, 1, /is not the address of a Wayfare API/],
      ] as const) {
        const ended = await command([...words], more);
        assert.equal(ended.code, code, `${words.join(' ')}: ${ended.stderr}`);
        assert.equal(ended.stderr.trim().split('\n').length, 1, ended.stderr);
        if (typeof said === 'string') assert.ok(ended.stderr.startsWith(`wayfare-dev: ${said}`), ended.stderr);
        else assert.match(ended.stderr, said);
      }
      const { stdout } = await command(['listen', '--forward', 'ftp://x', '--json']);
      assert.equal(JSON.parse(stdout).error, 'usage');
    });

    test('trigger sends an event, and listen forwards it, signed, until it is stopped', async () => {
      const received: string[] = [];
      const secret = `whsec_${'1'.repeat(64)}`;
      const onEvent = ({ event }: { event: string }) => received.push(event);
      const server = createServer(nodeReceiver({ secret, onEvent }) as RequestListener).listen(0);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const node = (await node20()) ?? process.execPath;
      const words = ['listen', '--forward', `http://localhost:${port}/hook`, '--secret', secret];
      const listening = spawn(node, [join(folder, 'node_modules/.bin/wayfare-dev'), ...words], { cwd: folder, env });
      let said = '';
      for (const stream of [listening.stdout, listening.stderr]) stream.on('data', (text) => (said += text));
      const ended = once(listening, 'close');
      try {
        await until(
          () => said.includes('answer'),
          () => said,
        );
        const triggered = await command(['trigger', 'order.refunded', '--json']);
        assert.equal(triggered.code, 0, triggered.stderr);
        assert.match(JSON.parse(triggered.stdout).did, /^bought esc_\w+ with .* and refunded it$/);
        await until(
          () => /order\.refunded +\d+ +204/.test(said),
          () => said,
        );
      } finally {
        listening.kill('SIGINT');
        server.close();
      }
      assert.deepEqual(await ended, [0, null], said);
      assert.deepEqual(received, ['order.refunded']);
      assert.match(said, /\nforwarded {2}\d+\naccepted {3}\d+\n$/);
    });
  });

  test('it runs on Node 20', async (t) => {
    const node = await node20();
    if (!node) return t.skip('there is no Node 20 here');
    const text = `import { Wayfare } from '@wayfare/sdk';
import { FakeWayfare } from '@wayfare/sdk/testing';
const wayfare = new Wayfare({ key: process.env.WAYFARE_KEY, baseUrl: process.env.WAYFARE_URL });
const fake = await new FakeWayfare().client.account.balance();
const { data, rateLimit } = await wayfare.account.pricing().withResponse();
console.log(process.version, data.result, rateLimit.limit, fake.result);`;
    await writeFile(join(folder, 'old.js'), text);
    const { stdout } = await run(node, ['old.js'], { cwd: folder, env });
    assert.match(stdout, /^v20\S+ ok 360 ok\n$/);
  });
});

suite('publishing', () => {
  test('a dry run has nothing to correct, and the package holds the built files, the licence and the README', async () => {
    await using copy = await testFolder(0o755);
    const cwd = join(copy.path, 'sdk');
    await copySdk(cwd);
    // As `.github/workflows/release.yml` does it. npm would look for the commands in a folder before it builds them.
    await run('npm', ['pack', '--offline'], { cwd });
    const { version } = JSON.parse(await file('sdk/package.json'));
    const tarball = `./wayfare-sdk-${version}.tgz`;
    // npm does not let what is under development become the latest version.
    const tag = version.includes('-') ? ['--tag', 'dev'] : [];
    const { stdout, stderr } = await run('npm', ['publish', tarball, '--dry-run', '--offline', '--json', ...tag], {
      cwd,
    });
    const warnings = stderr.split('\n').filter((line) => /npm warn (?!Unknown .*config)/.test(line));
    // The warning of every dry run without a login.
    assert.deepEqual(
      warnings.filter((line) => !line.includes('requires you to be logged in')),
      [],
    );
    const published = JSON.parse(stdout.slice(stdout.indexOf('{')));
    const { files } = (published['@wayfare/sdk'] ?? published) as { files: { path: string }[] };
    assert.deepEqual(
      files.map(({ path }) => path.replace(/^dist\/.*/, 'dist')).filter((path, i, all) => all.indexOf(path) === i),
      ['LICENSE', 'README.md', 'dist', 'package.json'],
    );
    const manifest = JSON.parse(await file('sdk/package.json'));
    assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
    for (const entry of [manifest.exports['.'], manifest.exports['./testing']])
      for (const path of [entry.import, entry.require].flatMap((form) => [form.types, form.default]))
        assert.ok(
          files.some((one) => `./${one.path}` === path),
          path,
        );
    assert.ok(files.some((one) => `./${one.path}` === manifest.bin['wayfare-dev']));
    assert.equal(await file('sdk/LICENSE'), await file('LICENSE'));
  });

  test('a release has one version, and the documents name its packages', async () => {
    const { version } = JSON.parse(await file('package.json'));
    assert.equal(JSON.parse(await file('sdk/package.json')).version, version);
    const pages = ['README.md', 'sdk/README.md', 'CONTRIBUTING.md', 'examples/typescript/package.json'];
    pages.push(
      'docs/getting-started.md',
      'sdk/python/README.md',
      'sdk/php/README.md',
      'examples/python/buy.py',
      'examples/php/buy.php',
    );
    for (const page of pages)
      for (const [, named] of (await file(page)).matchAll(
        /wayfare[-_]sdk-(?:php-)?(\d+\.\d+\.\d[\w.-]*?)(?=\.tgz|\.zip|-py3)/g,
      ))
        assert.equal(named?.replace(/\.dev0$/, '-dev'), version, page);
  });
});
