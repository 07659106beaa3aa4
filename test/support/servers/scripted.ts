import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** `drip` sends a byte every 50 ms, without end. */
export type Answer =
  | 'hang up'
  | 'hang'
  | 'drip'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object;
      readonly text?: string;
    };

export interface Seen {
  readonly verb: string;
  /** Below the place's address, as it was sent. */
  readonly path: string;
  /** Of the query, or of the form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

interface Place {
  readonly base: string;
  readonly seen: Seen[];
}

export interface ScriptedServer {
  /** An address of its own, below which each request gets the next answer. */
  place(answers: readonly Answer[]): Place;
  close(): void;
}

/** A server that answers by script and keeps what was sent, for clients in any language. */
export async function scriptedServer(): Promise<ScriptedServer> {
  const places: (Place & { readonly answers: readonly Answer[] })[] = [];
  const server = createServer(async (request, response) => {
    const [, number, path = '', query = ''] = /^\/(\d+)\/v3\/+([^?]*)\??(.*)$/.exec(request.url ?? '') ?? [];
    const place = places[Number(number)];
    const body = await text(request).catch(() => '');
    if (!place) return void response.writeHead(404).end();
    const fields = Object.fromEntries(new URLSearchParams(request.method === 'POST' ? body : query));
    place.seen.push({ verb: request.method ?? '', path, fields, headers: request.headers });
    answer(response, place.answers[place.seen.length - 1] ?? { status: 418, text: 'one request more than expected' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    place(answers) {
      const place = { base: `http://127.0.0.1:${port}/${places.length}/v3`, seen: [], answers };
      places.push(place);
      return place;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(response: ServerResponse, given: Answer): void {
  if (given === 'hang') return;
  if (given === 'hang up') return void response.destroy();
  if (given === 'drip') {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
    return;
  }
  const { status, headers = {}, body, text: plain } = given;
  // On a connection that was used before, some clients repeat a request by themselves.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(plain ?? JSON.stringify(body));
}
