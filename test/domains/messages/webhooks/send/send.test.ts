import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { addressRefusal } from '../../../../../src/domains/messages/webhooks/send/public-address.ts';
import { createSender, type SenderOptions } from '../../../../../src/domains/messages/webhooks/send/send.ts';
import { createGuard } from '../../../../../src/domains/messages/webhooks/send/target.ts';
import { certificate } from '../../../../support/servers/certificate.ts';
import { dnsServer } from '../../../../support/servers/dns-server.ts';

interface Receiver extends AsyncDisposable {
  readonly port: number;
  readonly connections: number;
}

/** A receiver on one address of this machine that counts its connections. */
async function receiver(address: string, answer: RequestListener, options: { port?: number; tls?: boolean } = {}) {
  const server = options.tls === false ? createServer(answer) : createTlsServer(certificate, answer);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => {});
  server.listen(options.port ?? 0, address);
  await once(server, 'listening');
  const made: Receiver = {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return made;
}

const ok: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('thanks'));
};

/** In these tests 127.0.0.2 stands for a public address; every other address is judged as always. */
const standIn = (address: string) => (address === '127.0.0.2' ? undefined : addressRefusal(address));

async function sendOnce(options: SenderOptions, url: string, body = '{}') {
  const sender = createSender(options);
  try {
    return await sender.send(url, { 'content-type': 'application/json' }, body);
  } finally {
    await sender.close();
  }
}

test('a name is connected to at the checked address, with its own name in SNI, Host and certificate check', async () => {
  await using dns = await dnsServer((_name, type) => (type === 'A' ? ['127.0.0.2'] : []));
  let host = '';
  let sni: unknown;
  await using hook = await receiver('127.0.0.2', (request, response) => {
    host = request.headers.host ?? '';
    sni = (request.socket as unknown as { servername: unknown }).servername;
    ok(request, response);
  });
  const guard = createGuard({ trustedHosts: [], resolver: dns.resolver, refusal: standIn });
  const right = await sendOnce({ guard, ca: certificate.cert }, `https://receiver.example:${hook.port}/hook`);
  assert.deepEqual([right.httpStatus, right.error, right.responseBody], [200, '', 'thanks']);
  assert.equal(host, `receiver.example:${hook.port}`);
  assert.equal(sni, 'receiver.example');

  const otherName = await sendOnce({ guard, ca: certificate.cert }, `https://other.example:${hook.port}/hook`);
  assert.match(otherName.error, /ERR_TLS_CERT_ALTNAME_INVALID/);
  assert.equal(otherName.requestSent, false);
  const unknownAuthority = await sendOnce({ guard }, `https://receiver.example:${hook.port}/hook`);
  assert.match(unknownAuthority.error, /SELF_SIGNED|self-signed/);
  assert.equal(unknownAuthority.requestSent, false);
});

test('rebinding between check and connect: the name is asked once per attempt and the answer is what is connected to', async () => {
  let asked = 0;
  // The second answer would be this machine's loopback.
  await using dns = await dnsServer((_name, type) => {
    if (type === 'AAAA') return [];
    asked += 1;
    return asked === 1 ? ['127.0.0.2'] : ['127.0.0.1'];
  });
  await using hook = await receiver('127.0.0.2', ok);
  await using inner = await receiver('127.0.0.1', ok, { port: hook.port });
  const guard = createGuard({ trustedHosts: [], resolver: dns.resolver, refusal: standIn });
  const answer = await sendOnce({ guard, ca: certificate.cert }, `https://receiver.example:${hook.port}/`);
  assert.equal(answer.httpStatus, 200);
  assert.equal(asked, 1);
  assert.deepEqual([hook.connections, inner.connections], [1, 0]);
});

test('rebinding between attempts: the next attempt is refused, also while a connection is still open', async () => {
  let address = '127.0.0.2';
  await using dns = await dnsServer((_name, type) => (type === 'A' ? [address] : []));
  await using hook = await receiver('127.0.0.2', ok);
  await using inner = await receiver('127.0.0.1', ok, { port: hook.port });
  const guard = createGuard({ trustedHosts: [], resolver: dns.resolver, refusal: standIn });
  const sender = createSender({ guard, ca: certificate.cert });
  const url = `https://receiver.example:${hook.port}/`;
  assert.equal((await sender.send(url, {}, '{}')).httpStatus, 200);
  assert.equal((await sender.send(url, {}, '{}')).httpStatus, 200);
  assert.equal(hook.connections, 1, 'an open connection to the checked address is used again');

  address = '127.0.0.1';
  const rebound = await sender.send(url, {}, '{}');
  assert.deepEqual([rebound.error, rebound.requestSent], ['blocked: loopback_address', false]);
  assert.deepEqual([hook.connections, inner.connections], [1, 0]);
  await sender.close();
});

test('one refused address among several refuses the name, in either family', async () => {
  const zone: Record<string, string[]> = { A: ['127.0.0.2', '10.0.0.5'], AAAA: [] };
  await using dns = await dnsServer((_name, type) => zone[type] ?? []);
  await using hook = await receiver('127.0.0.2', ok);
  const guard = createGuard({ trustedHosts: [], resolver: dns.resolver, refusal: standIn });
  const error = async () =>
    (await sendOnce({ guard, ca: certificate.cert }, `https://receiver.example:${hook.port}/`)).error;
  assert.equal(await error(), 'blocked: private_address');
  zone.A = ['127.0.0.2'];
  zone.AAAA = ['fe80::1'];
  assert.equal(await error(), 'blocked: link_local_address');
  zone.AAAA = ['64:ff9b::a9fe:a9fe'];
  assert.equal(await error(), 'blocked: link_local_address');
  zone.A = [];
  zone.AAAA = [];
  assert.equal(await error(), 'blocked: unresolvable_host');
  assert.equal(hook.connections, 0);
});

function local(port: number): SenderOptions {
  return { guard: createGuard({ trustedHosts: [`127.0.0.1:${port}`] }) };
}

test('a redirect is an answer, never followed', async () => {
  await using inner = await receiver('127.0.0.1', ok, { tls: false });
  const location = `http://127.0.0.1:${inner.port}/`;
  await using hook = await receiver(
    '127.0.0.1',
    ({ url }, response) => response.writeHead(Number(url?.slice(1)), { location, refresh: `0; url=${location}` }).end(),
    { tls: false },
  );
  for (const status of [200, 300, 301, 302, 303, 307, 308]) {
    const answer = await sendOnce(local(hook.port), `http://127.0.0.1:${hook.port}/${status}`);
    assert.deepEqual([answer.httpStatus, answer.error], [status, '']);
  }
  assert.equal(inner.connections, 0);
});

test('proxies named in the environment are not used', async () => {
  await using proxy = await receiver('127.0.0.1', ok, { tls: false });
  await using hook = await receiver('127.0.0.1', ok, { tls: false });
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`;
  try {
    const answer = await sendOnce(local(hook.port), `http://127.0.0.1:${hook.port}/`);
    assert.equal(answer.httpStatus, 200);
    assert.deepEqual([proxy.connections, hook.connections], [0, 1]);
  } finally {
    names.forEach((name, i) => {
      const value = before[i];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
  }
});

test('a reply is read to a limit, shown to 1000 characters, and never decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
  let wroteAll = false;
  await using hook = await receiver(
    '127.0.0.1',
    (request, response) => {
      if (request.url === '/bomb') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      response.on('finish', () => {
        wroteAll = true;
      });
      const chunk = 'x'.repeat(64 * 1024);
      const more = () => {
        if (response.destroyed) return;
        if (response.write(chunk)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    },
    { tls: false },
  );
  const endless = await sendOnce(local(hook.port), `http://127.0.0.1:${hook.port}/endless`);
  assert.deepEqual([endless.httpStatus, endless.error, endless.responseBody], [200, '', 'x'.repeat(1000)]);
  assert.equal(wroteAll, false);
  const packed = await sendOnce(local(hook.port), `http://127.0.0.1:${hook.port}/bomb`);
  assert.equal(packed.httpStatus, 200);
  assert.ok(packed.responseBody.length <= 1000);
});

test('the time limit covers a silent name server, a silent peer, and a reply that never ends', async () => {
  const attemptMs = 300;
  await using dns = await dnsServer(() => undefined);
  await using hook = await receiver(
    '127.0.0.1',
    (request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    },
    { tls: false },
  );
  // Accepts and says nothing: a TLS handshake that never ends.
  const mute = createTcpServer((socket) => socket.on('error', () => {}));
  mute.listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const mutePort = (mute.address() as AddressInfo).port;

  const limited = async (options: SenderOptions, url: string) => {
    const sender = createSender({ ...options, attemptMs });
    const answer = await sender.send(url, {}, '{}');
    assert.equal(answer.error, 'timeout', url);
    // Not "soon after": on a busy machine even a timer is late. Without the limit each of these would take 20 seconds or more.
    assert.ok(answer.durationMs >= attemptMs - 5 && answer.durationMs < 10_000, `${url}: ${answer.durationMs} ms`);
    return answer;
  };
  const silentDns = createGuard({ trustedHosts: [], resolver: dns.resolver });
  assert.equal((await limited({ guard: silentDns }, 'https://receiver.example/')).requestSent, false);
  assert.equal((await limited(local(mutePort), `https://127.0.0.1:${mutePort}/`)).requestSent, false);
  assert.equal((await limited(local(hook.port), `http://127.0.0.1:${hook.port}/silent`)).requestSent, true);
  const slow = await limited(local(hook.port), `http://127.0.0.1:${hook.port}/drip`);
  assert.deepEqual([slow.requestSent, slow.httpStatus], [true, 200]);
  mute.close();
});

test('no connection: nothing was sent, and the error says why', async () => {
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const answer = await sendOnce(local(port), `http://127.0.0.1:${port}/`);
  assert.equal(answer.requestSent, false);
  assert.match(answer.error, /ECONNREFUSED/);
});
