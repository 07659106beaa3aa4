import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SimulatedReply, simulatedAnswers } from '../../../src/domains/supply/adapters/simulated/answers.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Db, openDatabase } from '../../../src/platform/db/database.ts';
import { createServer } from '../../../src/platform/http/server.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';

/**
 * The simulated supplier as a small wholesale service, called over HTTP like a real one, with faults on demand. It runs as a separate
 * process, too: DATABASE_URL=… node test/support/suppliers/simulated-server.ts [PORT]
 */
interface SimulatedService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startSimulatedService(
  db: Db,
  options: { now: () => number; port?: number },
): Promise<SimulatedService> {
  const answers = simulatedAnswers(db, options.now);
  // Only we connect here, and connections may idle for long between calls, so there are no timers per request.
  const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }, (request, response) => {
    request.resume();
    response.sendDate = false;
    answers(request.method ?? '', request.url ?? '').then(
      (reply) => sendAs(reply, response),
      () => send(response, { status: 500, body: { error: 'internal' } }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendAs(reply: SimulatedReply, response: ServerResponse): void {
  const { behaviour } = reply;
  if (behaviour === 'timeout') return; // Never answers. The connection closes when the caller gives up.
  if (behaviour === 'break') breakOff(response, reply);
  else if (behaviour === 'duplicate') sendTwice(response, reply);
  else send(response, reply);
}

const headers = (text: string): string[] => [
  'content-type',
  'application/json',
  'content-length',
  String(Buffer.byteLength(text)),
];

function send(response: ServerResponse, { status, body }: SimulatedReply): void {
  const text = JSON.stringify(body);
  response.writeHead(status, headers(text));
  response.end(text);
}

/** Sends half an answer, then drops the connection. */
function breakOff(response: ServerResponse, { body }: SimulatedReply): void {
  const text = JSON.stringify(body);
  response.writeHead(200, headers(text));
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** Sends the answer twice. A careless client takes the second one for the answer to its next request. */
function sendTwice(response: ServerResponse, reply: SimulatedReply): void {
  const { socket } = response;
  const text = JSON.stringify(reply.body);
  response.once('finish', () => {
    socket?.write(
      `HTTP/1.1 ${reply.status} Again\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  });
  send(response, reply);
}

if (import.meta.main) {
  const { databaseUrl } = readConfig();
  if (!databaseUrl) throw new Error('DATABASE_URL is not set');
  const db = openDatabase({ url: databaseUrl, name: 'simulated supplier', searchPath: 'simulated', maxConnections: 4 });
  const { url } = await startSimulatedService(db, { now: systemClock.now, port: Number(process.argv[2] ?? 0) });
  process.stdout.write(`${url}\n`);
}
