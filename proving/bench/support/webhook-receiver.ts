import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate } from '../../../test/support/servers/certificate.ts';
import { answerParent } from './child.ts';

/** A receiver that verifies every signature and counts what it got. The path names the subscription whose secret signs. */
export type Question =
  | { start: { tls: boolean } }
  | { secrets: Record<string, string> }
  /** Paths that from now on get no answer. */
  | { silence: string[] }
  | { count: true };

export interface Counted {
  /** Requests whose signature was right, and distinct event_ids among them. */
  readonly verified: number;
  readonly wrong: number;
  readonly distinct: number;
  /** Verified requests by path. */
  readonly byPath: Record<string, number>;
}

let secrets: Record<string, string> = {};
let silent = new Set<string>();
let wrong = 0;
let verified = 0;
const events = new Set<string>();
const byPath: Record<string, number> = {};

const receive: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    if (silent.has(path)) return;
    const given = Buffer.from(String(request.headers['x-signature']));
    const hmac = createHmac('sha256', secrets[path] ?? '').update(`${request.headers['x-webhook-timestamp']}.`);
    for (const chunk of chunks) hmac.update(chunk);
    const expected = Buffer.from(`sha256=${hmac.digest('hex')}`);
    if (given.length === expected.length && timingSafeEqual(given, expected)) {
      verified += 1;
      byPath[path] = (byPath[path] ?? 0) + 1;
      events.add(`${path} ${request.headers['webhook-id']}`);
    } else wrong += 1;
    response.writeHead(200, { 'content-length': 2 });
    response.end('ok');
  });
};

let server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer> | undefined;

answerParent<Question>(
  async (question) => {
    if ('start' in question) {
      server = question.start.tls ? createTlsServer(certificate, receive) : createServer(receive);
      server.keepAliveTimeout = 60_000;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { port: (server.address() as AddressInfo).port };
    }
    if ('secrets' in question) secrets = question.secrets;
    if ('silence' in question) silent = new Set(question.silence);
    const counted: Counted = { verified, wrong, distinct: events.size, byPath };
    return counted;
  },
  async () => void server?.closeAllConnections(),
);
