import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { Agent, request } from 'undici';
import { testFolder } from '../../support/database/folder.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { debianBinary, noProgram } from '../../support/debian/debian.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { deployedSettings } from '../../support/program/deployed-settings.ts';
import { freePort } from '../../support/program/ports.ts';
import { refused } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';
import { certificate } from '../../support/servers/certificate.ts';

interface Site extends AsyncDisposable {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Both of its logs. */
  logged(): Promise<string>;
}

/** Debian's nginx with the site we ship; only ports, certificate and its patience are others. */
async function nginx(port: number): Promise<Site> {
  const { path, env } = await debianBinary('nginx');
  const folder = await testFolder(0o711);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const site = readFileSync(new URL('../../../deploy/nginx/wayfare.conf', import.meta.url), 'utf8')
    // Machines without IPv6 refuse these.
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen ${httpPort};`)
    .replace('listen 443 ', `listen ${httpsPort} `)
    .replace(/127\.0\.0\.1:41\d\d/g, `127.0.0.1:${port}`)
    // So that a test need not wait for as long as requests may really take.
    .replace('proxy_read_timeout 30s;', 'proxy_read_timeout 1s;')
    .replaceAll('/etc/letsencrypt/live/wayfare', folder.path)
    .replace('/var/log/nginx/', '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  const main = `${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''}
daemon off;
pid nginx.pid;
error_log error.log;
events {}
http { access_log access.log; ${temporary.join(' ')}
${site}}
`;
  await writeFile(join(folder.path, 'fullchain.pem'), certificate.cert);
  await writeFile(join(folder.path, 'privkey.pem'), certificate.key);
  await writeFile(join(folder.path, 'nginx.conf'), main);
  const args = ['-p', folder.path, '-c', 'nginx.conf', '-e', 'error.log'];
  const options = { env: { ...process.env, ...env }, cwd: folder.path };
  await promisify(execFile)(path, ['-t', ...args], options);
  const child = spawn(path, args, { ...options, stdio: 'inherit' });
  const gone = once(child, 'exit');
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    return !(await refused(httpsPort));
  });
  return {
    httpPort,
    httpsPort,
    async logged() {
      const read = (name: string) => readFile(join(folder.path, name), 'utf8');
      return (await read('access.log')) + (await read('error.log'));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await gone;
      await folder[Symbol.asyncDispose]();
    },
  };
}

const skip = await noProgram('nginx');
const undo = new AsyncDisposableStack();
let site: Site;
/** Makes partners and keys in the same database. */
let t: TestApp;

before(async () => {
  if (skip) return;
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const secret = randomBytes(32).toString('hex');
  t = undo.use(await testApp({ url: database.url, secret }));
  const port = await freePort();
  const env = { DATABASE_URL: database.url, WAYFARE_SECRET: secret, LISTEN_PORTS: String(port), DRAIN_SECONDS: '0' };
  undo.use(await ServerProcess.start({ dataDir: '/nonexistent', env: { ...deployedSettings(), ...env } }));
  site = undo.use(await nginx(port));
});
after(() => undo.disposeAsync());

/** The tests' certificate has other names than the example. */
const checkServerIdentity = () => undefined;
const agent = (localAddress: string) =>
  undo.adopt(new Agent({ localAddress, connect: { ca: certificate.cert, checkServerIdentity } }), (one) =>
    one.destroy(),
  );
const ask = async (
  dispatcher: Agent,
  host: string,
  path: string,
  headers: Record<string, string> = {},
  { httpsPort }: Site = site,
) => {
  const answer = await request(`https://127.0.0.1:${httpsPort}${path}`, {
    dispatcher,
    headers: { host, ...headers },
  });
  return { status: answer.statusCode, text: await answer.body.text() };
};
test('over TLS the host name decides between the API and the panel, and plain http is redirected', {
  skip,
}, async () => {
  const own = agent('127.0.0.1');
  assert.equal((await ask(own, 'panel.example.com', '/healthz')).text, 'ok\n');
  assert.match((await ask(own, 'sandbox.example.com', '/v3/openapi.json')).text, /^{\s*"openapi"/);
  const plain = await request(`http://127.0.0.1:${site.httpPort}/v3/a`, { headers: { host: 'api.example.com' } });
  assert.deepEqual([plain.statusCode, plain.headers.location], [301, 'https://api.example.com/v3/a']);
});

const secret = 'a-secret-in-the-address';
const secrets = [
  ...['/e/', '/qr/', '/pay/', '/webhooks/esim-access/', '/webhooks/esim-access/slug/'].map((path) => path + secret),
  ...['/sso/1', '/operator/sso', '/live/money/pay'].map((path) => `${path}?code=${secret}`),
];

test('an address that is a secret or has one is not logged, whether it exists or not, over plain http neither, nor as where a page came from', {
  skip,
}, async () => {
  const own = agent('127.0.0.1');
  for (const path of [...secrets, `/sign-in?email=${secret}`]) {
    await ask(own, 'panel.example.com', path);
    await request(`http://127.0.0.1:${site.httpPort}${path}`, { headers: { host: 'panel.example.com' } });
  }
  const referer = `https://panel.example.com/live/money/pay?code=${secret}`;
  await ask(own, 'panel.example.com', '/guides/last-one', { referer });
  await eventually('the last request is logged', async () => (await site.logged()).includes('/guides/last-one'));
  const logged = await site.logged();
  assert.match(logged, /"GET \/sign-in HTTP\/2\.0" \d+ \d+ "-" "/);
  assert.doesNotMatch(logged, /a-secret-in/);
});

test('nor in an error, when no process is there to answer', { skip }, async () => {
  await using alone = await nginx(await freePort());
  const own = agent('127.0.0.1');
  for (const path of [...secrets, '/guides/last-one'])
    assert.equal((await ask(own, 'panel.example.com', path, {}, alone)).status, 502);
  const logged = await alone.logged();
  assert.match(logged, /connect\(\) failed .*\/guides\/last-one/);
  assert.doesNotMatch(logged, /a-secret-in/);
});

test('an allow-list sees the address that nginx sees, not one the client claims', { skip }, async () => {
  const listed = await t.key(await t.partner(), 'live', { allowList: ['127.0.0.2'] });
  const there = agent('127.0.0.2');
  const elsewhere = agent('127.0.0.3');
  const path = '/v3/account/balance';
  assert.equal((await ask(there, 'api.example.com', path, { 'x-api-key': listed })).status, 200);
  const claimed = { 'x-api-key': listed, 'x-forwarded-for': '127.0.0.2' };
  const answer = await ask(elsewhere, 'api.example.com', path, claimed);
  assert.deepEqual([answer.status, JSON.parse(answer.text).error], [403, 'ip_not_allowed']);
});

test('a process that answers slowly is not left out: what does not wait for the locked table is served', {
  skip,
}, async () => {
  const own = agent('127.0.0.1');
  const key = { 'x-api-key': await t.key(await t.partner()) };
  const get = async (path: string) => (await ask(own, 'api.example.com', `/v3${path}`, key)).status;
  assert.equal(await get('/order/get'), 200);
  const holder = new pg.Client({ connectionString: t.base.url });
  await holder.connect();
  try {
    await holder.query('begin; lock table live.orders in access exclusive mode');
    const slow = await Promise.all(Array.from({ length: 4 }, () => get('/order/get')));
    assert.deepEqual(slow, [504, 504, 504, 504]);
    const others = await Promise.all(Array.from({ length: 10 }, () => get('/catalog/countries')));
    assert.deepEqual(new Set(others), new Set([200]));
  } finally {
    await holder.end();
  }
});
