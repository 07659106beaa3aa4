import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../eventually.ts';
import { certificate } from './certificate.ts';

export interface Received {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook receiver on this machine that keeps what it gets. */
export interface Receiver extends AsyncDisposable {
  /** host:port, as WEBHOOK_TRUSTED_HOSTS names it. */
  readonly host: string;
  readonly url: string;
  readonly received: Received[];
  /** What it answers; 200 unless set. A function may also leave the caller hanging. */
  answer: number | ((request: Received, response: ServerResponse) => void);
  /** Waits until `count` requests came in all. */
  got(count: number): Promise<Received[]>;
}

export async function receiver(options: { tls?: boolean } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const server = options.tls ? createTlsServer(certificate) : createServer();
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { at: Date.now(), path: request.url ?? '', headers: request.headers, body };
      received.push(one);
      if (typeof hook.answer === 'function') hook.answer(one, response);
      else response.writeHead(hook.answer).end(`answered ${hook.answer}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hook: Receiver = {
    host,
    url: `${options.tls ? 'https' : 'http'}://${host}/hook`,
    received,
    answer: 200,
    async got(count) {
      await until(
        () => received.length >= count,
        () => `${received.length} of ${count} requests came`,
      );
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return hook;
}

/** Waits for something that happens soon by itself; fails with what it saw instead. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  saw: () => string = () => 'it did not happen',
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${saw()} within ${PATIENCE_MS} ms`);
    await sleep(5);
  }
}
