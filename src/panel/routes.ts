import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';

/** A page or file of the panel host. `{name}` in a path matches one segment. */
export interface PanelRoute {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  handle(request: PanelRequest): PanelReply | Promise<PanelReply>;
}

export interface PanelRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The body as it came, at most 256 KiB. */
  body(): Promise<Buffer>;
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
        const params = route.verb === verb ? match(segments, given) : undefined;
        if (!params) continue;
        reply = await route.handle({
          params,
          query,
          headers: request.headers,
          body: () => read(request),
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

class Malformed extends Error {}

function parseUrl(text: string): { given: string[]; query: URLSearchParams } {
  try {
    const { pathname, searchParams } = new URL(text, 'http://panel');
    return { given: pathname.split('/').map(decodeURIComponent), query: searchParams };
  } catch {
    throw new Malformed();
  }
}

function match(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, segment] of segments.entries()) {
    const value = given[i] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name) params[name] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

function send(request: IncomingMessage, response: ServerResponse, reply: PanelReply): void {
  const body = Buffer.from(reply.body);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = {
    'content-type': reply.type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(reply.status === 200 ? { etag } : {}),
    ...reply.headers,
  };
  if (reply.status === 200 && request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(reply.status, { ...headers, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Malformed();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
