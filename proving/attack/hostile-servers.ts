import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Wayfare } from '../../sdk/src/client.ts';
import { fetchReceiver, nodeReceiver } from '../../sdk/src/receive.ts';
import { runTime } from '../../test/support/eventually.ts';
import { type Attack, type Attempt, sized } from './attack.ts';

const MB = 1024 * 1024;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
/** How much memory an untrusted body may take, including garbage not collected yet. */
const MOST_HELD_MB = 64;

export const hostileServers: Attack = {
  name: 'hostile-servers',
  tries: 'a server that is not ours answers the SDK, and senders that are not ours fill its receivers',
  async run(attempt) {
    await receivers(attempt);
    await servers(attempt);
  },
};

/** Bodies that are huge, endless or lie about their length, and floods of signatures. */
async function receivers(attempt: Attempt): Promise<void> {
  const size = sized(attempt, 60, 300) * MB;
  const events: unknown[] = [];
  const options = { secret: SECRET, onEvent: (event: unknown) => events.push(event) };

  let pulled = 0;
  const piece = new Uint8Array(MB);
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += piece.length;
        if (pulled > size) controller.close();
        else controller.enqueue(piece);
      },
    });
  const ask = (body: ReadableStream | string, headers: Record<string, string> = {}) =>
    fetchReceiver(options)(
      new Request('https://shop.example/hook', { method: 'POST', body, headers, duplex: 'half' } as RequestInit),
    );
  pulled = 0;
  const before = process.memoryUsage().arrayBuffers;
  const answer = await ask(endless());
  const heldMb = (process.memoryUsage().arrayBuffers - before) / MB;
  assert.equal(answer.status, 413);
  assert.ok(pulled <= 8 * MB, `fetchReceiver read ${pulled / MB} MB before it refused`);
  assert.ok(heldMb < MOST_HELD_MB, `fetchReceiver holds ${Math.round(heldMb)} MB`);
  pulled = 0;
  assert.equal((await ask(endless(), { 'content-length': String(size) })).status, 413);
  assert.ok(pulled <= 4 * MB, `fetchReceiver read ${pulled / MB} MB although the length was named`);
  attempt.held(`fetchReceiver: bodies of ${size / MB} MB are refused after a few MB, with and without a length`);

  const flood = { 'x-signature': Array.from({ length: 2_000 }, (_, n) => `v1=${n}`).join(',') };
  using run = runTime();
  assert.equal((await ask('{}', { ...flood, 'x-timestamp': String(Math.floor(Date.now() / 1000)) })).status, 401);
  const standard = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  const many = Array.from({ length: 2_000 }, () => `v1,${'A'.repeat(43)}=`).join(' ');
  assert.equal((await ask('{}', { ...standard, 'webhook-signature': many })).status, 401);
  assert.ok(run.ms < 5_000, 'thousands of signatures are looked at in no time');

  const server = createServer(nodeReceiver(options) as RequestListener);
  await using _ = await listening(server);
  const { port } = server.address() as AddressInfo;
  for (const headers of [{}, { 'content-length': String(size) }]) {
    const sent = await pour(port, size, headers);
    assert.ok(sent.status === 413 || sent.status === 0, `nodeReceiver answered ${sent.status}`);
    assert.ok(sent.bytes < size, `nodeReceiver took all ${sent.bytes / MB} MB`);
  }
  assert.deepEqual(events, [], 'no unsigned event');
  attempt.held('nodeReceiver: the same, and floods of signatures are refused');
}

/** Sends until the receiver answers or hangs up. */
async function pour(port: number, size: number, headers: Record<string, string>) {
  const piece = Buffer.alloc(MB);
  const out = request({ port, method: 'POST', headers });
  let bytes = 0;
  let status = 0;
  const over = Promise.race([
    once(out, 'response').then(([response]) => {
      status = response.statusCode;
      response.resume();
    }),
    once(out, 'close'),
    once(out, 'error'),
  ]).catch(() => {});
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  while (!isOver && bytes < size) {
    bytes += piece.length;
    if (!out.write(piece)) await Promise.race([once(out, 'drain'), over]).catch(() => {});
    await new Promise(setImmediate);
  }
  out.end();
  await over;
  out.destroy();
  return { bytes, status };
}

/** Endless spaces. */
function pourInto(socket: Socket, megabytes: number): void {
  const piece = Buffer.alloc(MB, ' ');
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${megabytes * MB}\r\n\r\n`);
  for (let n = 0; n < megabytes && !socket.destroyed; n += 1) socket.write(piece);
}

/** Answers that never come, never end, break off, lie, or lead elsewhere. */
async function servers(attempt: Attempt): Promise<void> {
  const timeoutMs = 500;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const ok = '{"result":"ok","balance":1}';
  const slowly = (socket: Socket, text: string) => {
    let at = 0;
    const timer = setInterval(
      () => (socket.destroyed ? clearInterval(timer) : socket.write(text[at++ % text.length] ?? '')),
      20,
    );
  };
  const manners: Readonly<Record<string, (socket: Socket) => void>> = {
    'says nothing': () => {},
    'sends more than anybody wants': (socket) => pourInto(socket, sized(attempt, 40, 300)),
    'sends its headers a byte at a time': (socket) =>
      slowly(socket, 'HTTP/1.1 200 OK\r\nx-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
    'never ends its body': (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      slowly(socket, '1\r\n \r\n');
    },
    'sends less than it said': (socket) => void socket.end(`${head}content-length: 9999\r\n\r\n${ok}`),
    'sends more than it said': (socket) => void socket.end(`${head}content-length: 5\r\n\r\n${ok}`),
    'answers with HTML': (socket) => void socket.end(`${head}\r\n<html>${ok}</html>`),
    'answers with another shape': (socket) => void socket.end(`${head}\r\n[1,2,3]`),
    'answers with a prototype': (socket) => void socket.end(`${head}\r\n{"__proto__":{"result":"ok"}}`),
    'redirects elsewhere': (socket) =>
      void socket.end(
        'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/v3/account/balance\r\ncontent-length: 0\r\n\r\n',
      ),
    'is no HTTP': (socket) => void socket.end('220 mail.example ESMTP\r\n'),
    'hangs up': (socket) => void socket.destroy(),
  };
  for (const [manner, act] of Object.entries(manners)) {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => act(socket));
    });
    await using _ = await listening(server);
    const { port } = server.address() as AddressInfo;
    const wayfare = new Wayfare({
      key: `esk_test_${'0'.repeat(40)}`,
      baseUrl: `http://127.0.0.1:${port}/v3`,
      timeoutMs,
      maxRetries: 0,
    });
    using run = runTime();
    await assert.rejects(wayfare.account.balance(), { name: 'WayfareConnectionError' }, manner);
    assert.ok(run.ms < timeoutMs + 5_000, `a server that ${manner} held the call up`);
    assert.equal(({} as { result?: string }).result, undefined, 'no prototype was changed');
  }
  attempt.held(
    `${Object.keys(manners).length} ways to answer wrongly: each is a WayfareConnectionError within its time limit`,
  );
}

type Listening = Server | ReturnType<typeof createTcpServer>;

async function listening(server: Listening): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
