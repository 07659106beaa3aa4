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

export class BodyTooLong extends Error {}
/** The connection broke before the whole body arrived. */
class BodyCutOff extends Error {}

export function hasBody({ headers }: Pick<Received, 'headers'>): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : length !== '0';
}

/**
 * The whole body, or `BodyTooLong` or `BodyCutOff`. The rest of a body that is too long is read and discarded, because the
 * refusal is sent on the same connection and the next request may follow it.
 */
export function readBody(request: Received, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) reject(new BodyTooLong());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(new BodyCutOff()));
    // Every request closes; creating an error for each of them would cost more than reading the body.
    request.on('close', () => request.complete || reject(new BodyCutOff()));
  });
}
