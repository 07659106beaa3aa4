import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { SECOND } from '../../../src/platform/clock.ts';
import { addressList } from '../../../src/platform/http/address-list.ts';
import type { ConnectionLimits } from '../../../src/platform/http/connections.ts';
import { type ListeningServer, listen, TIMEOUTS } from '../../../src/platform/http/server.ts';
import { createLog } from '../../../src/platform/log.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/program/ports.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Once the body is there, if there is one. */
const answerOk: Handle = (request, response) => {
  const answer = () => response.writeHead(200, { 'content-length': 2 }).end('ok');
  if (request.method === 'GET') answer();
  else request.resume().on('end', answer);
};

async function serving(
  handle: Handle,
  limits: Partial<ConnectionLimits> = {},
  ports: readonly number[] = [0],
): Promise<ListeningServer & AsyncDisposable & { port: number; logged: string[] }> {
  const logged: string[] = [];
  const server = await listen({
    ports,
    handle: async (request, response) => handle(request, response),
    limits: { max: 1_000, maxPerAddress: 1_000, trusted: undefined, ...limits },
    timeouts: { idleGraceMs: 300 },
    log: createLog('warn', (line) => logged.push(line)),
  });
  return Object.assign(server, {
    port: server.ports[0] ?? 0,
    logged,
    [Symbol.asyncDispose]: () => server.close(),
  });
}

async function connected(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\na=b';
const closedBySelf = (socket: Socket) => once(socket, 'close');
const statuses = (received: string) => received.match(/HTTP\/1\.1 \d+/g) ?? [];

test('when one of its ports is taken it listens on none of them', async () => {
  await using taken = await serving(answerOk);
  const free = await freePort();
  await assert.rejects(serving(answerOk, {}, [free, taken.port]), { code: 'EADDRINUSE' });
  const [error] = await once(connect(free, '127.0.0.1'), 'error');
  assert.equal(error.code, 'ECONNREFUSED');
});

suite('clients that do not read', { concurrency: true }, () => {
  const large = Buffer.alloc(4 * 1024 * 1024);

  test('a connection whose answers stay unread is closed after the limit', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await serving(
      (request, response) => {
        if (request.socket.listenerCount('close', closed.resolve) === 0) request.socket.once('close', closed.resolve);
        response.writeHead(200, { 'content-length': large.length }).end(large);
      },
      { unreadMs: 200 },
    );
    const socket = await connected(server.port);
    socket.pause();
    socket.write(GET.repeat(20));
    await closed.promise;
    socket.destroy();
  });

  test('one that reads slowly, or waits for an answer longer than that, is served to the end', async () => {
    const late = Promise.withResolvers<void>();
    await using server = await serving(
      (request, response) => {
        const send = () => response.writeHead(200, { 'content-length': large.length }).end(large);
        if (request.url === '/late') void late.promise.then(send);
        else send();
      },
      { unreadMs: 1_000 },
    );
    const socket = await connected(server.port);
    socket.write(`${GET}${GET.replace('/ ', '/late ')}`);
    let received = 0;
    let reads = 0;
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        received += chunk.length;
        reads += 1;
        if (received > large.length && reads > 0) late.resolve();
        if (received > 2 * large.length) return resolve();
        if (reads % 16 !== 0) return;
        socket.pause();
        setTimeout(() => socket.resume(), 20);
      });
    });
    socket.destroy();
  });
});

test('a request whose body never comes is refused after ten seconds at most', async () => {
  assert.ok(TIMEOUTS.receivedMs <= 10 * SECOND);
  const log = createLog('silent');
  const refused = Promise.withResolvers<string>();
  const server = await listen({
    ports: [0],
    handle: () => new Promise(() => {}),
    refuse(socket, unanswered, error) {
      refused.resolve(`${(error as NodeJS.ErrnoException).code} ${unanswered?.req.url}`);
      socket.destroy();
    },
    limits: { max: 10, maxPerAddress: 10, trusted: undefined },
    timeouts: { headersMs: 1_000, receivedMs: 1_000, idleGraceMs: 0 },
    log,
  });
  const socket = await connected(server.ports[0] ?? 0);
  socket.write(POST.slice(0, -'a=b'.length).replace('POST /', 'POST /announced'));
  assert.equal(await refused.promise, 'ERR_HTTP_REQUEST_TIMEOUT /announced');
  await server.close();
});

suite('limits of connections', { concurrency: true }, () => {
  test('a connection without a request for the time allowed is closed, but not one that waits for its answer', async () => {
    const late = Promise.withResolvers<void>();
    await using server = await serving(
      (request, response) => {
        if (request.url === '/late') void late.promise.then(() => response.end('ok'));
        else response.end('ok');
      },
      { idleMs: 1_000 },
    );
    const [used, unused, waiting] = [
      await connected(server.port),
      await connected(server.port),
      await connected(server.port),
    ];
    waiting.write(GET.replace('/ ', '/late '));
    used.write(GET);
    assert.equal(statuses(await text(used)).length, 1);
    assert.equal(await text(unused), '');
    late.resolve();
    assert.match(String((await once(waiting, 'data'))[0]), /200 OK/);
    waiting.destroy();
  });

  test('requests beyond 32 in flight on one connection are not handled, and the last answer says so', async () => {
    const waiting: ServerResponse[] = [];
    await using server = await serving((_request, response) => void waiting.push(response));
    const socket = await connected(server.port);
    const received = text(socket);
    socket.write(GET.repeat(100));
    await eventually('32 requests are in flight', async () => waiting.length === 32);
    for (const response of waiting) response.end('ok');
    const answers = await received;
    assert.equal(statuses(answers).length, 32);
    assert.equal(waiting.length, 32);
    const [, ...closes] = answers.split(/connection: close/i);
    assert.equal(closes.length, 1, 'only the last one');
    assert.equal(statuses(closes[0] ?? '').length, 0);
  });

  test('pipelining within the limit goes on for as long as the client reads', async () => {
    await using server = await serving(answerOk);
    const socket = await connected(server.port);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    for (let round = 1; round <= 10; round++) {
      socket.write(GET.repeat(20));
      await eventually('the round is answered', async () => statuses(received).length === 20 * round);
    }
    assert.doesNotMatch(received, /connection: close/i);
    socket.destroy();
  });

  /** Opens connections one after the other; the number that are answered. */
  async function answeredOf(port: number, count: number): Promise<{ answered: number; sockets: Socket[] }> {
    const sockets: Socket[] = [];
    let answered = 0;
    for (let i = 0; i < count; i++) {
      const socket = await connected(port);
      sockets.push(socket);
      socket.write(GET);
      answered += (await Promise.race([once(socket, 'data'), closedBySelf(socket).then(() => undefined)])) ? 1 : 0;
    }
    return { answered, sockets };
  }

  test('one address has its share, which it gets back as its connections end; a warning says so', async () => {
    await using server = await serving(answerOk, { maxPerAddress: 3 });
    const { answered, sockets } = await answeredOf(server.port, 5);
    assert.equal(answered, 3);
    for (const socket of sockets) socket.destroy();
    await eventually('there is room again', async () => {
      const again = await answeredOf(server.port, 1);
      for (const socket of again.sockets) socket.destroy();
      return again.answered === 1;
    });
    await eventually('it is logged', async () =>
      server.logged.some((line) => line.includes('connections were refused')),
    );
  });

  test('the network around it has four times that', async () => {
    await using server = await serving(answerOk, { maxPerAddress: 2 });
    let answered = 0;
    for (let host = 1; host <= 10; host++) {
      const socket = await connected(server.port, `127.0.0.${host}`);
      socket.write(GET);
      answered += (await Promise.race([once(socket, 'data'), closedBySelf(socket).then(() => undefined)])) ? 1 : 0;
    }
    assert.equal(answered, 8);
  });

  test('a trusted proxy carries many clients: only the limit for all applies to it', async () => {
    await using server = await serving(answerOk, { maxPerAddress: 1, max: 4, trusted: addressList(['127.0.0.0/8']) });
    const { answered, sockets } = await answeredOf(server.port, 6);
    assert.equal(answered, 4);
    for (const socket of sockets) socket.destroy();
  });
});

suite('stopping', { concurrency: true }, () => {
  test('200 kept-alive connections that send another request meanwhile: each is answered and told to close', async () => {
    const server = await serving(answerOk);
    const sockets = await Promise.all(Array.from({ length: 200 }, () => connected(server.port)));
    await Promise.all(
      sockets.map(async (socket) => {
        socket.write(POST);
        assert.match(String((await once(socket, 'data'))[0]), /200 OK[\s\S]*connection: keep-alive/i);
      }),
    );
    const closed = server.close();
    const answers = await Promise.all(
      sockets.map((socket) => {
        const received = text(socket);
        socket.write(POST);
        return received;
      }),
    );
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 OK[\s\S]*connection: close[\s\S]*ok$/i);
    await closed;
  });

  test('what was pipelined before is answered in full; only the last answer says close', async () => {
    const waiting: ServerResponse[] = [];
    const server = await serving((_request, response) => void waiting.push(response));
    const socket = await connected(server.port);
    const received = text(socket);
    socket.write(GET.repeat(2));
    await eventually('two requests are in flight', async () => waiting.length === 2);
    const closed = server.close();
    socket.write(GET);
    await eventually('three requests are in flight', async () => waiting.length === 3);
    for (const response of waiting) response.end('ok');
    const answers = await received;
    assert.equal(statuses(answers).length, 3);
    assert.equal(answers.match(/connection: close/gi)?.length, 1);
    await closed;
  });

  test('idle connections, used or not, are closed after the grace period, and do not hold up the end', async () => {
    const server = await serving(answerOk);
    const [used, unused] = [await connected(server.port), await connected(server.port)];
    used.write(GET);
    await once(used, 'data');
    const ends = [buffer(used), buffer(unused)];
    await server.close();
    assert.deepEqual((await Promise.all(ends)).map(String), ['', '']);
  });

  test('while draining, a client that ignores "Connection: close" and sends on is answered', async () => {
    await using server = await serving(answerOk);
    server.drain();
    const socket = await connected(server.port);
    for (let sent = 0; sent < 5; sent++) {
      socket.write(POST);
      const [chunk] = await once(socket, 'data');
      assert.match(String(chunk), /^HTTP\/1\.1 200 OK[\s\S]*connection: close[\s\S]*ok$/i);
    }
    const ended = buffer(socket);
    await ended;
  });

  test('while draining, a client that asked for the end of its connection does not wait for it', async () => {
    await using server = await serving(answerOk);
    server.drain();
    const [kept, asked] = [await connected(server.port), await connected(server.port)];
    const first = Promise.race([text(kept).then(() => 'kept'), text(asked).then(() => 'asked')]);
    kept.write(GET);
    asked.write(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    assert.equal(await first, 'asked');
    kept.destroy();
  });

  test('while draining it takes new connections, and answers each once', async () => {
    await using server = await serving(answerOk);
    server.drain();
    const socket = await connected(server.port);
    const received = text(socket);
    socket.write(GET);
    assert.match(await received, /^HTTP\/1\.1 200 OK[\s\S]*connection: close[\s\S]*ok$/i);
  });
});

const APP = new URL('../../../src/app.ts', import.meta.url).href;

/** Names of Node's own modules that a program has loaded. */
async function loadedBy(program: string): Promise<string> {
  const text = `${program}; console.log(process.moduleLoadList.join(' '))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text]);
  return stdout;
}

test('a server does not load what is behind fetch, which an import of node:http does', async () => {
  assert.match(await loadedBy(`await import('node:http')`), /deps\/undici/);
  assert.doesNotMatch(await loadedBy(`await import(${JSON.stringify(APP)})`), /deps\/undici/);
});
