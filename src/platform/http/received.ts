import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';

/** What is read of a request: one that came over a connection (`IncomingMessage`), or one made inside the process. */
export interface Received {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Peer;
  readonly on: Readable['on'];
  /** The whole body has arrived. */
  readonly complete: boolean;
}

export interface Peer {
  readonly remoteAddress?: string | undefined;
}

/** A request whose body is there already. */
export const receivedWith = (
  { method, headers, socket }: Pick<Received, 'method' | 'headers' | 'socket'>,
  body: Buffer,
): Received =>
  Object.assign(Readable.from(body.length > 0 ? [body] : []), { method, headers, socket, complete: true as const });
