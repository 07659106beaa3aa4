import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testFolder } from '../../support/database/folder.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { record } from '../../support/program/app.ts';
import { wayfare } from '../../support/program/cli.ts';
import { freePort } from '../../support/program/ports.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const example = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** Runs an example to its end. */
async function run(command: string, name: string, env: NodeJS.ProcessEnv) {
  const child = spawn(command, [example(name)], { env: { PATH: process.env.PATH, ...env } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code };
}

/** The receiver in its own process, with everything it has printed. */
function startReceiver(env: NodeJS.ProcessEnv): { child: ChildProcess; printed: () => string } {
  const child = spawn(process.execPath, [example('webhook-receiver.mjs')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  return { child, printed: () => output };
}

suite('the examples work as the README and getting started show them', () => {
  const opened = new AsyncDisposableStack();
  let server: ServerProcess;
  let key = '';
  let port = 0;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    port = await freePort();
    const folder = opened.use(await testFolder(0o700));
    const database = await freshDatabase();
    opened.defer(() => database.drop());
    const settings = { DATABASE_URL: database.url, WAYFARE_DEMO: 'on', WEBHOOK_TRUSTED_HOSTS: `localhost:${port}` };
    server = opened.use(await ServerProcess.start({ dataDir: folder.path, env: settings }));
    key = /\besk_test_\w+/.exec(await server.banner())?.[0] ?? '';
    env = { ...settings, WAYFARE_DATA: folder.path };
  });
  after(() => opened.disposeAsync());

  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
  const api = async (path: string, method = 'GET'): Promise<any> =>
    (await fetch(`${server.urls.sandbox}/${path}`, { method, headers: { 'x-api-key': key } })).json();

  test('first-purchase.sh buys once however often it runs, and shows activation data and usage', async () => {
    const runs = [];
    for (const _ of [1, 2])
      runs.push(await run('sh', 'first-purchase.sh', { WAYFARE_KEY: key, WAYFARE_URL: server.urls.sandbox }));
    for (const { stdout, stderr, code } of runs) {
      assert.equal(code, 0, stderr);
      const [bought, detail, used] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(bought.delivery, 'delivered');
      assert.equal(bought.livemode, false);
      assert.equal(detail.order.id, bought.id);
      assert.match(detail.esim.qrcode, /^LPA:1\$/);
      assert.equal(used.usage.iccid, detail.esim.iccid);
    }
    assert.equal((await api('order/get')).order.length, 1);
  });

  test('first-purchase.sh ends with an error when the key is missing or wrong', async () => {
    assert.match((await run('sh', 'first-purchase.sh', {})).stderr, /Set WAYFARE_KEY to a sandbox key/);
    const { code, stderr } = await run('sh', 'first-purchase.sh', {
      WAYFARE_KEY: 'esk_test_wrong',
      WAYFARE_URL: server.urls.sandbox,
    });
    assert.notEqual(code, 0);
    assert.match(stderr, /401/);
  });

  test('webhook-receiver.mjs does not start without a secret', async () => {
    const { code, stderr } = await run(process.execPath, 'webhook-receiver.mjs', { PORT: String(port) });
    assert.notEqual(code, 0);
    assert.match(stderr, /Set WEBHOOK_SECRET/);
  });

  test('webhook-receiver.mjs accepts what the server signs and rejects everything else', async (t) => {
    const address = `http://localhost:${port}/hook`;
    const create = ['webhook', 'create', '--partner', '1', '--mode', 'sandbox', '--url', address, '--json'];
    const { json } = await wayfare(env, ...create);
    record('secrets', `${json.secret}\n`);
    const { child, printed } = startReceiver({ WEBHOOK_SECRET: json.secret, PORT: String(port) });
    const ended = once(child, 'exit');
    try {
      await eventually('the receiver listens', async () => printed().includes('Listening'));

      await t.test('a delivery of the server', async () => {
        await api('webhook/test', 'POST');
        const row = await eventually('the test event was sent', async () => {
          const { deliveries } = await api('webhook/deliveries?limit=1');
          return deliveries[0]?.status === 'sent' && deliveries[0];
        });
        assert.equal(row.http_code, '204');
        await eventually('the receiver printed it', async () => printed().includes('"event":"order.test"'));
      });

      const body = '{"event":"order.test"}';
      const now = Math.floor(Date.now() / 1000);
      const sign = (timestamp: number, secret: string = json.secret) =>
        `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
      const post = async (timestamp: number, signature: string, sent = body) => {
        const headers = { 'x-webhook-timestamp': String(timestamp), 'x-signature': signature };
        return (await fetch(address, { method: 'POST', body: sent, headers })).status;
      };
      await t.test('nothing that is forged, altered, unsigned or old', async () => {
        assert.equal(await post(now, sign(now)), 204);
        assert.equal(await post(now, sign(now, 'whsec_other')), 401);
        assert.equal(await post(now, sign(now), '{"event":"order.paid"}'), 401);
        assert.equal(await post(now, sign(now).replace(/.$/, 'é')), 401);
        assert.equal(await post(now - 301, sign(now - 301)), 401);
        assert.equal((await fetch(address, { method: 'POST', body })).status, 401);
      });

      await t.test('nothing longer than any event: it stops reading', async () => {
        await assert.rejects(fetch(address, { method: 'POST', body: Buffer.alloc(2 * 1024 * 1024) }));
        assert.equal(await post(now, sign(now)), 204);
      });

      await t.test('a sender that hangs up does not end it', async () => {
        const socket = connect(port, 'localhost');
        await once(socket, 'connect');
        socket.write('POST /hook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf', () =>
          socket.destroy(),
        );
        await once(socket, 'close');
        assert.equal(await post(now, sign(now)), 204);
        assert.equal(child.exitCode, null);
      });
    } finally {
      child.kill();
      await ended;
    }
  });
});
