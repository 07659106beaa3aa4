import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Hosts } from '../../../../src/entry/api/gates/hosts.ts';
import { ConfigError, readConfig } from '../../../../src/platform/settings/config.ts';
import { testApp } from '../../../support/program/app.ts';
import { freePort } from '../../../support/program/ports.ts';
import { refused, sandbox } from '../../../support/refusal.ts';
import { sendRaw } from '../../../support/servers/raw.ts';

const hosts = (env: NodeJS.ProcessEnv) => new Hosts(readConfig(env));
const NAMES = {
  SANDBOX_BASE_URL: 'https://sandbox.example.com/v3',
  LIVE_BASE_URL: 'https://api.example.com/v3',
  LEGACY_BASE_URL: 'https://old.example.com',
  PANEL_URL: 'https://panel.example.com',
};

suite('the authority a request names decides', () => {
  const behindProxy = hosts(NAMES);
  const find = (authority: string | undefined, path = '/v3/x', port = 8080) =>
    behindProxy.find(authority, port, path)?.environment;

  test('one port behind a proxy, told apart by name, in any case', () => {
    assert.equal(find('sandbox.example.com'), 'sandbox');
    assert.equal(find('API.Example.COM'), 'live');
    assert.equal(find('old.example.com', '/order/get'), 'legacy');
    assert.equal(find('panel.example.com', '/'), 'panel');
  });

  test("the scheme's own port may be written or left out; another port is another host", () => {
    assert.equal(find('api.example.com:443'), 'live');
    assert.equal(find('api.example.com:8443'), undefined);
    assert.equal(hosts({ LIVE_BASE_URL: 'http://api.test/v3' }).find('api.test:80', 1, '/')?.environment, 'live');
  });

  test('a name that only begins or ends like ours is not ours', () => {
    for (const name of ['api.example.com.evil.test', 'evil-api.example.com', 'example.com', '', undefined]) {
      assert.equal(find(name), undefined);
    }
  });

  test('an IPv6 literal', () => {
    const local = hosts({ LIVE_BASE_URL: 'http://[::1]:4020/v3' });
    assert.equal(local.find('[::1]:4020', 1, '/v3')?.environment, 'live');
  });
});

test('three ports without a proxy: a name that is not configured falls back to the port it came in on', () => {
  const local = hosts({});
  assert.deepEqual(local.ports.toSorted(), [4000, 4010, 4020, 4030]);
  for (const [port, environment] of [
    [4010, 'sandbox'],
    [4020, 'live'],
    [4030, 'legacy'],
    [4000, 'panel'],
  ] as const) {
    assert.equal(local.find('127.0.0.1', port, '/v3/x')?.environment, environment);
    assert.equal(local.find(undefined, port, '/v3/x')?.environment, environment);
    // The name wins over the port.
    assert.equal(local.find('localhost:4010', port, '/v3/x')?.environment, 'sandbox');
  }
});

test('several environments behind one name are told apart by their base path', () => {
  const one = hosts({
    SANDBOX_BASE_URL: 'https://example.com/sandbox/v3',
    LIVE_BASE_URL: 'https://example.com/v3',
    LEGACY_BASE_URL: 'https://example.com/api',
    PANEL_URL: 'https://example.com',
  });
  const find = (path: string) => one.find('example.com', 8080, path)?.environment;
  assert.equal(find('/sandbox/v3/order/get'), 'sandbox');
  assert.equal(find('/v3'), 'live');
  assert.equal(find('/api/order/get'), 'legacy');
  assert.equal(find('/v3x'), 'panel');
  assert.equal(find('/'), 'panel');
});

test('an unknown name on a port that several environments share is refused, unless the path decides', () => {
  const shared = hosts({
    SANDBOX_BASE_URL: 'http://a.test:9/v3',
    LIVE_BASE_URL: 'http://b.test:9/v3',
    LEGACY_BASE_URL: 'http://c.test:9',
    PANEL_URL: 'http://d.test:8',
  });
  assert.equal(shared.find('x.test', 9, '/v3/order/get'), undefined);
  assert.equal(shared.find('x.test', 9, '/order/get')?.environment, 'legacy');
});

test('settings that cannot work are refused at the start, by name', () => {
  const refusedWith = (env: NodeJS.ProcessEnv, message: RegExp) =>
    assert.throws(
      () => readConfig(env),
      (error) => error instanceof ConfigError && message.test(error.message),
    );
  refusedWith({ LIVE_BASE_URL: 'https://example.com' }, /LIVE_BASE_URL must end in \/v3/);
  refusedWith({ SANDBOX_BASE_URL: 'nonsense' }, /SANDBOX_BASE_URL must be an http or https address/);
  refusedWith({ PANEL_URL: 'ftp://example.com' }, /PANEL_URL/);
  refusedWith({ ...NAMES, SANDBOX_BASE_URL: 'https://API.example.com:443/v3/' }, /SANDBOX_BASE_URL and LIVE_BASE_URL/);
  refusedWith({ LISTEN_PORTS: '80,http' }, /LISTEN_PORTS: http is not a port/);
  refusedWith({ LISTEN_HOST: 'nowhere' }, /LISTEN_HOST: nowhere is not an IP address/);
  refusedWith({ HEALTH_HOST: '127.0.0.1:9000' }, /HEALTH_HOST: 127.0.0.1:9000 is not an IP address/);
  refusedWith({ WAYFARE_DEMO: 'maybe' }, /WAYFARE_DEMO must be on or off/);
  refusedWith({ HEALTH_PORT: '65536' }, /HEALTH_PORT: 65536 is not a port/);
  for (const bad of ['10.0.0.0/33', '::/129', 'localhost', '10.0.0.1/']) {
    refusedWith({ TRUSTED_PROXIES: `127.0.0.1,${bad}` }, /TRUSTED_PROXIES/);
  }
  refusedWith({ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of debug, info/);
  refusedWith({ STRIPE_SECRET_KEY: 'sk_x' }, /STRIPE_WEBHOOK_SECRET/);
});

test('demo data is made on the embedded database unless it is switched off, elsewhere only if it is switched on', () => {
  const DATABASE_URL = 'postgres://db/wayfare';
  assert.deepEqual(
    [{}, { WAYFARE_DEMO: 'off' }, { DATABASE_URL }, { DATABASE_URL, WAYFARE_DEMO: 'on' }].map(
      (env) => readConfig(env).demo,
    ),
    [true, false, false, true],
  );
});

test('LISTEN_HOST and HEALTH_HOST: only that address is listened on', async () => {
  await using t = await testApp({ config: { listenHost: '127.0.0.2', healthPort: 0, healthHost: '127.0.0.3' } });
  const answers = (address: string, port: number | undefined) =>
    fetch(`http://${address}:${port}/healthz`).then(
      () => true,
      () => false,
    );
  for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.3'])
    assert.deepEqual(
      [await answers(address, t.port), await answers(address, t.healthPort)],
      [address === '127.0.0.2', address === '127.0.0.3'],
      address,
    );
});

test('the server listens on every port the addresses name, and each answers for its environment', async () => {
  const [sandboxPort, livePort] = [await freePort(), await freePort()];
  const config = readConfig({
    SANDBOX_BASE_URL: `http://localhost:${sandboxPort}/v3`,
    LIVE_BASE_URL: `http://localhost:${livePort}/v3`,
    LEGACY_BASE_URL: `http://localhost:${livePort}/old`,
    PANEL_URL: `http://localhost:${livePort}`,
  });
  const { sandboxBaseUrl, liveBaseUrl, legacyBaseUrl, panelUrl } = config;
  await using _t = await testApp({
    config: { sandboxBaseUrl, liveBaseUrl, legacyBaseUrl, panelUrl, listenPorts: undefined },
  });
  const get = (port: number, path: string) =>
    sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
  refused(await get(sandboxPort, '/v3/account/balance'), 'api_key_required', sandbox);
  refused(await get(livePort, '/v3/account/balance'), 'api_key_required');
  refused(await get(livePort, '/old/account/balance'), 'api_key_required');
  assert.equal((await get(livePort, '/healthz')).text, 'ok\n');
  // Not HTTP: the port alone says which environment it was meant for.
  refused(await sendRaw(sandboxPort, 'nonsense\r\n\r\n'), 'malformed_request', sandbox);
  refused(await sendRaw(livePort, 'nonsense\r\n\r\n'), 'malformed_request');
});

test('start --role: the API, the panel or the jobs alone, each serving its own hosts and no other', async () => {
  await using api = await testApp({ role: 'api' });
  assert.equal((await api.get('/account/balance', { host: 'live' })).body.error, 'api_key_required');
  assert.equal((await api.get('/healthz', { host: 'panel' })).status, 404);
  await using panel = await testApp({ role: 'panel' });
  assert.equal((await panel.get('/healthz', { host: 'panel' })).status, 200);
  assert.equal((await panel.get('/openapi.json', { host: 'live' })).status, 404);
  await using worker = await testApp({ role: 'worker' });
  assert.equal(worker.port, 0, 'it listens nowhere');
});
