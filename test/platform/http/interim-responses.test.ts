import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { Pool } from 'undici';
import { createSender, type SenderOptions } from '../../../src/domains/messages/webhooks/send/send.ts';
import { createGuard } from '../../../src/domains/messages/webhooks/send/target.ts';
import { call } from '../../../src/platform/http/call.ts';
import { acceptingInterim } from '../../../src/platform/http/interim-responses.ts';
import { certificate } from '../../support/servers/certificate.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX: 100\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks';

/** Writes `pieces` as they are to every request, each in its own packet, and leaves the connection open. */
async function rawReceiver(tls: boolean, pieces: () => readonly string[]) {
  let connections = 0;
  const answer = (socket: Socket) => {
    connections += 1;
    socket.setNoDelay(true).on('error', () => {});
    socket.on('data', async () => {
      for (const piece of pieces()) {
        if (socket.writable) socket.write(piece);
        await new Promise(setImmediate);
      }
    });
  };
  const server = tls ? createTlsServer(certificate, answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const trusting = (port: number): SenderOptions => ({
  guard: createGuard({ trustedHosts: [`127.0.0.1:${port}`] }),
  ca: certificate.cert,
});

const answers: readonly (readonly [name: string, pieces: readonly string[], reply: string])[] = [
  ['no interim response', [OK], 'thanks'],
  ['100 Continue', [CONTINUE, OK], 'thanks'],
  ['100 Continue in the packet of the answer', [CONTINUE + OK], 'thanks'],
  ['100 Continue byte by byte', [...CONTINUE, OK], 'thanks'],
  ['100 Continue with headers', ['HTTP/1.1 100 Continue\r\nDate: today\r\n\r\n', OK], 'thanks'],
  ['100, 103 and 100 again', [CONTINUE, HINTS, CONTINUE + OK], 'thanks'],
  ['102 Processing', ['HTTP/1.1 102 Processing\r\n\r\n', OK], 'thanks'],
  ['103 Early Hints', [HINTS, OK], 'thanks'],
  [
    'a body that looks like an interim response',
    [`HTTP/1.1 200 OK\r\nContent-Length: ${CONTINUE.length}\r\n\r\n`, CONTINUE],
    CONTINUE,
  ],
];

for (const scheme of ['http', 'https'])
  test(`a receiver over ${scheme} may send interim responses before its answer`, async () => {
    let pieces: readonly string[] = [];
    const hook = await rawReceiver(scheme === 'https', () => pieces);
    const sender = createSender(trusting(hook.port));
    for (const [name, wanted, reply] of answers) {
      pieces = wanted;
      const { httpStatus, responseBody, error } = await sender.send(`${scheme}://127.0.0.1:${hook.port}/`, {}, '{}');
      assert.deepEqual([httpStatus, responseBody, error], [200, reply, ''], name);
    }
    // undici may open a second one while the first settles down; it must not need one per answer.
    assert.ok(hook.connections() <= 2, 'an interim response costs no connection');
    await sender.close();
  });

test('interim responses are not an answer: one alone is a timeout, an endless row of them is cut off', async () => {
  let pieces = [HINTS];
  const hook = await rawReceiver(false, () => pieces);
  const sender = createSender({ ...trusting(hook.port), attemptMs: 300 });
  const url = `http://127.0.0.1:${hook.port}/`;
  const alone = await sender.send(url, {}, '{}');
  assert.deepEqual([alone.httpStatus, alone.error], [undefined, 'timeout']);
  pieces = Array<string>(100).fill(CONTINUE);
  const endless = await sender.send(url, {}, '{}');
  assert.deepEqual([endless.httpStatus, endless.error], [undefined, 'too many interim responses']);
  await sender.close();
});

test('a supplier may send interim responses before its answer', async () => {
  let pieces: readonly string[] = [];
  const supplier = await rawReceiver(false, () => pieces);
  const pool = new Pool(`http://127.0.0.1:${supplier.port}`, { connect: acceptingInterim() });
  for (const [name, wanted, reply] of answers) {
    pieces = wanted;
    const called = await call(pool, { method: 'POST', path: '/', body: '{}' }, 2_000);
    assert.deepEqual(called, { status: 200, text: reply }, name);
  }
  await pool.destroy();
});
