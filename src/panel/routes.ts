import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';

/** A page or file of the panel host. `{name}` in a path matches one segment, a last `{*}` whatever follows. */
export interface PanelRoute {
  readonly verb: 'GET' | 'POST' | 'any';
  readonly path: string;
  handle(request: PanelRequest): PanelReply | Promise<PanelReply>;
}

export interface PanelRequest {
  /** Decoded. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly request: IncomingMessage;
  /** The body as it came; throws `Malformed` when it is longer than `maxBytes` (256 KiB). */
  body(maxBytes?: number): Promise<Buffer>;
}

export interface PanelReply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_BODY = 256 * 1024;

export const page = (status: number, type: string, body: string | Buffer, headers = {}): PanelReply => ({
  status,
  type,
  body,
  headers,
});
const notFound = page(404, 'text/plain; charset=utf-8', 'Not found\n');

export function servePanel(
  routes: readonly PanelRoute[],
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const compiled = routes.map((route) => ({ route, segments: route.path.split('/') }));
  return async (request, response) => {
    let reply = notFound;
    try {
      const { given, query } = parseUrl(request.url ?? '/');
      const verb = request.method === 'HEAD' ? 'GET' : request.method;
      for (const { route, segments } of compiled) {
        const params = route.verb === verb || route.verb === 'any' ? match(segments, given) : undefined;
        if (!params) continue;
        reply = await route.handle({
          path: given.join('/'),
          params,
          query,
          headers: request.headers,
          request,
          body: (maxBytes = MAX_BODY) => read(request, maxBytes),
        });
        break;
      }
    } catch (error) {
      const malformed = error instanceof Malformed;
      if (!malformed) log.error({ err: error }, 'panel request failed');
      reply = page(
        malformed ? 400 : 500,
        'text/plain; charset=utf-8',
        malformed ? 'Bad request\n' : 'Internal error\n',
      );
    }
    send(request, response, reply);
  };
}

/** A request that cannot be read. */
export class Malformed extends Error {}

/**
 * Taken as it was sent. A URL parser would make a host of what follows `//` and walk along `..`, and what a proxy in front of
 * us refuses by its path (`/metrics`) would be reached by another spelling.
 */
function parseUrl(text: string): { given: string[]; query: URLSearchParams } {
  const [, path = '', query] = /^(\/[^?#]*)\??(.*)$/.exec(text) ?? [];
  try {
    return { given: path.split('/').map(decodeURIComponent), query: new URLSearchParams(query) };
  } catch {
    throw new Malformed();
  }
}

function match(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const open = segments.at(-1) === '{*}';
  if (open ? given.length < segments.length : segments.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    if (segment === '{*}') break;
    const value = given[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name) params[name] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

export const etagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

function send(request: IncomingMessage, response: ServerResponse, reply: PanelReply): void {
  const body = Buffer.from(reply.body);
  const kept = !reply.headers?.['cache-control']?.includes('no-store');
  const etag = reply.headers?.etag ?? etagOf(body);
  const headers = {
    'content-type': reply.type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(reply.status === 200 && kept ? { etag } : {}),
    ...reply.headers,
  };
  const unchanged = reply.status === 200 && kept && request.headers['if-none-match'] === etag;
  if (unchanged || reply.status === 304) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(reply.status, { ...headers, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Not destroyed when it is too long: the refusal goes out on the same connection, and so may the next request.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    // Cut off before its end: whoever sent it is gone, and nothing of ours went wrong.
    throw new Malformed();
  }
  request.resume();
  if (size > maxBytes) throw new Malformed();
  return Buffer.concat(chunks);
}
