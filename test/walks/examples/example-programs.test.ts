import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signedWebhook } from '../../../sdk/src/testing.ts';
import { testFolder } from '../../support/database/folder.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { debianBinary, type Program } from '../../support/debian/debian.ts';
import { installSdk, node20, packSdks, unpackZip } from '../../support/debian/installed-sdk.ts';
import { outsideFile, outsideMissing } from '../../support/debian/outside.ts';
import { eventually } from '../../support/eventually.ts';
import { wayfare } from '../../support/program/cli.ts';
import { freePort } from '../../support/program/ports.ts';
import { noSdkFor } from '../../support/program/sdks.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

interface Language {
  readonly name: string;
  readonly folder: string;
  /** Undefined where it is neither installed nor can be fetched. */
  readonly program: () => Promise<Program | undefined>;
  /** What follows the program to run `buy`, `refill` or `receive`. */
  readonly args: (example: string, port: number) => readonly string[];
}

/** The program in the path, if it starts. */
const started = (path: string, ...args: string[]): Promise<Program | undefined> =>
  promisify(execFile)(path, args).then(
    () => ({ path, env: {} }),
    () => undefined,
  );

const languages: readonly Language[] = [
  {
    name: 'TypeScript on Node 24',
    folder: 'typescript',
    program: async () => ({ path: process.execPath, env: {} }),
    args: (example) => [`${example}.ts`],
  },
  {
    // Which does not run TypeScript itself: `npx tsx buy.ts`, as the examples say.
    name: 'TypeScript on Node 20',
    folder: 'typescript',
    async program() {
      const path = (await outsideMissing()) ? undefined : await node20();
      return path === undefined ? undefined : { path, env: {} };
    },
    args: (example) => [outsideFile('tsx/dist/cli.mjs'), `${example}.ts`],
  },
  {
    name: 'Python',
    folder: 'python',
    program: async () => ((await noSdkFor('Python')) ? undefined : started('python3', '--version')),
    args: (example) => [`${example}.py`],
  },
  {
    name: 'PHP',
    folder: 'php',
    program: async () => ((await noSdkFor('PHP')) ? undefined : debianBinary('php')),
    args: (example, port) => (example === 'receive' ? ['-S', `localhost:${port}`, 'receive.php'] : [`${example}.php`]),
  },
  {
    name: 'Go',
    folder: 'go',
    program: () => debianBinary('go').catch(() => undefined),
    args: (example) => ['run', `./${example}`],
  },
];

suite('the programs in examples/ buy, refill and receive', () => {
  const opened = new AsyncDisposableStack();
  let server: ServerProcess;
  let folder = '';
  let wheel = '';
  let port = 0;
  let secret = '';
  let env: Record<string, string | undefined>;

  before(async () => {
    port = await freePort();
    folder = opened.use(await testFolder(0o700)).path;
    await installSdk(folder);
    await cp(examples, join(folder, 'examples'), { recursive: true });
    const packed = await packSdks(folder);
    unpackZip(packed.php, join(folder, 'examples/php/wayfare-sdk'));
    // A wheel is an archive that Python imports from, as it would from where pip unpacks it.
    wheel = packed.wheel;
    const database = await freshDatabase();
    opened.defer(() => database.drop());
    const settings = { DATABASE_URL: database.url, WAYFARE_DEMO: 'on', WEBHOOK_TRUSTED_HOSTS: `localhost:${port}` };
    const dataDir = join(folder, 'data');
    server = opened.use(await ServerProcess.start({ dataDir, env: settings }));
    const url = `http://localhost:${port}/hook`;
    const create = ['webhook', 'create', '--partner', '1', '--mode', 'sandbox', '--url', url];
    const events = ['--events', 'order.test', '--json'];
    secret = (await wayfare({ ...settings, WAYFARE_DATA: dataDir }, ...create, ...events)).json.secret;
    env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: wheel,
      WAYFARE_KEY: /\besk_test_\w+/.exec(await server.banner())?.[0],
      WAYFARE_URL: server.urls.sandbox,
      WEBHOOK_SECRET: secret,
      PORT: String(port),
    };
  });
  after(() => opened.disposeAsync());

  const bought = /^Order (\d+) is delivered: eSIM (89000\d+), http\S+\n$/;

  for (const { name, folder: where, program, args } of languages)
    test(name, async (t) => {
      const found = await program();
      if (!found) return t.skip(`${name} is not installed here`);
      const cwd = join(folder, 'examples', where);
      const run = async (example: string, more: object = {}) => {
        const options = { cwd, env: { ...env, ...found.env, ...more } };
        return (await promisify(execFile)(found.path, args(example, port), options)).stdout;
      };
      const first = await run('buy');
      assert.match(first, bought);
      assert.equal(await run('buy'), first, 'the same key buys once');
      const iccid = bought.exec(first)?.[2] ?? '';
      assert.match(await run('refill', { ICCID: iccid }), /^Order \d+ is delivered: .+ refill\n$/);
      const wrong = await run('buy', { WAYFARE_KEY: 'esk_test_wrong' }).catch((error) => error);
      assert.notEqual(wrong.code ?? 0, 0, 'a refusal ends it with an error');
      const keyless = await run('buy', { WAYFARE_KEY: '' }).catch((error) => error);
      assert.match(String(keyless.stderr), /^Set WAYFARE_KEY to a sandbox key\.\n(exit status 1\n)?$/);

      const receiver = spawn(found.path, args('receive', port), { cwd, env: { ...env, ...found.env }, detached: true });
      const ended = once(receiver, 'exit');
      let printed = '';
      for (const stream of [receiver.stdout, receiver.stderr]) stream.on('data', (chunk) => (printed += chunk));
      const url = `http://localhost:${port}/hook`;
      const post = async (body: string, headers: Record<string, string>) =>
        (await fetch(url, { method: 'POST', body, headers })).status;
      try {
        await eventually('the receiver answers', () =>
          post('{}', {}).then(
            (status) => status === 401,
            () => false,
          ),
        );
        const headers = { 'x-api-key': env.WAYFARE_KEY ?? '' };
        await fetch(`${server.urls.sandbox}/webhook/test`, { method: 'POST', headers });
        await eventually('it printed the test event', async () => /order\.test sbx_order\.test:\S+/.test(printed));
        const good = await signedWebhook({ event: 'order.paid' }, secret);
        assert.equal(await post(good.body, good.headers), 204);
        assert.equal(await post(`${good.body} `, good.headers), 401);
        const late = await signedWebhook({ event: 'order.paid' }, secret, Date.now() - 400_000);
        assert.equal(await post(late.body, late.headers), 401);
      } finally {
        // With its children: `go run` starts what it built.
        if (receiver.pid) process.kill(-receiver.pid);
        await ended;
      }
    });

  test('curl', async () => {
    const call = async (file: string, more: object = {}) =>
      (await promisify(execFile)('sh', [join(examples, file)], { env: { ...env, ...more } })).stdout;
    const [, detail = '{}'] = (await call('first-purchase.sh')).split('\n');
    const refilled = JSON.parse(await call('curl/refill.sh', { ICCID: JSON.parse(detail).esim.iccid }));
    assert.equal(refilled.delivery, 'delivered');
  });
});
