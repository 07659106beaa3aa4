import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { servePinned } from './pinned.ts';

/** The yardstick: `node:http` and nothing else, sending one finished answer to whatever is asked. */
export interface BareAnswer {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
}

servePinned(async ({ status, headers, body, encoding }: BareAnswer) => {
  const bytes = encoding === 'utf8' ? body : Buffer.from(body, encoding);
  const server = createServer((_request, response) => {
    response.writeHead(status, headers);
    response.end(bytes);
  });
  await once(server.listen(), 'listening');
  const { port } = server.address() as AddressInfo;
  return { told: { port }, [Symbol.asyncDispose]: async () => server.closeAllConnections() };
});
