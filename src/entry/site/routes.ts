import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECOND } from '../../platform/clock.ts';
import { isPassing } from '../../platform/db/database.ts';
import { readBody } from '../../platform/http/body.ts';
import { acceptEncodingOf } from '../../platform/http/compression.ts';
import type { FixedBody } from '../../platform/http/fixed-body.ts';
import { Undecodable } from '../../platform/http/form.ts';
import { etagOf, hasTag, NOT_STORED, REVALIDATED, UNAVAILABLE_RETRY_SECONDS } from '../../platform/http/headers.ts';
import { LargeBody, StreamedBody } from '../../platform/http/large-body.ts';
import { isHostRepeated, Pattern, segmentsOf, splitTarget } from '../../platform/http/target.ts';
import type { Budgets } from '../../platform/limits/budget.ts';
import { bounded, type Turns } from '../../platform/limits/turns.ts';
import type { Log } from '../../platform/log.ts';
import { notice } from '../../platform/traces/traces.ts';

/** A page or file of the panel host. In a path, `{name}` matches one segment and a final `{*}` one or more. */
export interface SiteRoute {
  readonly verb: 'GET' | 'POST' | 'any';
  readonly path: string;
  handle(request: SiteRequest): SiteReply | Promise<SiteReply>;
}

export interface SiteRequest {
  /** As it was sent. It may hold secrets: log the route's `path` instead. */
  readonly path: string;
  /** Decoded, and free of NULs. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly request: IncomingMessage;
  /** The body as it was sent; throws `Malformed` when it is longer than `maxBytes` (256 KiB). */
  body(maxBytes?: number): Promise<Buffer>;
}

export interface SiteReply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer | LargeBody | StreamedBody;
  /** Without `cache-control` no cache keeps the answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_BODY_BYTES = 256 * 1024;
const TEXT = 'text/plain; charset=utf-8';

const noDevices = ['camera', 'geolocation', 'microphone', 'midi', 'payment', 'serial', 'usb', 'browsing-topics'];

/** For everything a browser shows as a page: no access to devices, and no access from the window that opened it. */
const isolation = {
  'permissions-policy': noDevices.map((feature) => `${feature}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
};

export const page = (status: number, type: string, body: SiteReply['body'], headers = {}): SiteReply => ({
  status,
  type,
  body,
  headers,
});
export const notFound = page(404, TEXT, 'Not found\n');

export class Malformed extends Error {}

/** Too many ask for the same thing at once. */
export class Busy extends Error {}

/** For pages anyone can open and that read the database: one connection for all of them, and a bounded queue. */
export const oneAtATime = (): Turns => bounded({ atOnce: 1, maxWaiting: 100 }, () => new Busy());

interface SiteParts {
  readonly log: Log;
  /** Undefined: its answers may take any time. */
  readonly budgets?: Budgets;
}

/** A page that waits for an API endpoint passes on that endpoint's answer when its time is up. */
const AFTER_API_MS = SECOND;

export function serveSite(
  routes: readonly SiteRoute[],
  { log, budgets }: SiteParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const compiled = routes.map((route) => ({ route, pattern: new Pattern(route.path) }));

  async function answer(request: IncomingMessage): Promise<SiteReply> {
    if (isHostRepeated(request)) throw new Malformed();
    const { path } = splitTarget(request.url ?? '/');
    const sent = segmentsOf(path);
    const verb = request.method === 'HEAD' ? 'GET' : request.method;
    for (const { route, pattern } of compiled) {
      const params = route.verb === verb || route.verb === 'any' ? pattern.match(sent) : undefined;
      if (!params) continue;
      notice({ 'http.route': route.path }, { name: `${request.method} ${route.path}` });
      const body = (maxBytes = MAX_BODY_BYTES) => readSiteBody(request, maxBytes);
      return route.handle({ path, params, headers: request.headers, request, body });
    }
    return notFound;
  }

  /** Only reads are cut short: somebody who changed something needs to know the outcome. */
  function answerWithinBudget(request: IncomingMessage): Promise<SiteReply> {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const answering = answer(request);
    if (!isRead || !budgets) return answering;
    return budgets.begin(AFTER_API_MS).within(answering, () => {
      log.warn('a panel request was answered unfinished: its time was up');
      return page(503, TEXT, 'This takes too long, try again in a moment\n');
    });
  }

  return async (request, response) => {
    const reply = await answerWithinBudget(request).catch((error) => refusal(error, log));
    return send(request, response, reply);
  };
}

/** The sender of a body that breaks off is gone, and one that is too long is not from our pages: neither is our fault. */
const readSiteBody = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  readBody(request, maxBytes).catch(() => {
    throw new Malformed();
  });

function refusal(error: unknown, log: Log): SiteReply {
  if (error instanceof Malformed || error instanceof Undecodable) return page(400, TEXT, 'Bad request\n');
  if (error instanceof Busy) return page(503, TEXT, 'Busy, try again in a moment\n');
  if (isPassing(error)) {
    log.warn({ err: error }, 'panel request failed');
    return page(503, TEXT, 'The database cannot answer now, try again in a moment\n');
  }
  log.error({ err: error }, 'panel request failed');
  return page(500, TEXT, 'Internal error\n');
}

function send(request: IncomingMessage, response: ServerResponse, reply: SiteReply): void | Promise<void> {
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  const headers: Record<string, string | number> = {
    'content-type': reply.type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': NOT_STORED,
    ...(reply.type.startsWith('text/html') && isolation),
    ...reply.headers,
  };
  if (reply.status === 503) headers['retry-after'] ??= UNAVAILABLE_RETRY_SECONDS;
  const kept = !String(headers['cache-control']).includes('no-store');
  if (reply.status === 200 && kept && Buffer.isBuffer(body)) headers.etag ??= etagOf(body);
  const unchanged = headers.etag !== undefined && hasTag(request.headers['if-none-match'], String(headers.etag));
  if ((reply.status === 200 && kept && unchanged) || reply.status === 304) {
    response.writeHead(304, headers).end();
    return;
  }
  if (!(body instanceof StreamedBody)) headers['content-length'] = body.length;
  response.writeHead(reply.status, headers);
  if (body instanceof StreamedBody) return body.sendTo(response);
  if (request.method === 'HEAD') response.end();
  else if (body instanceof LargeBody) return body.sendTo(response);
  else response.end(body);
}

/** A body as the client takes it: compressed if it can be, and not sent again to somebody who has it. */
export async function fixedReply(
  { request }: Pick<SiteRequest, 'request'>,
  type: string,
  file: FixedBody,
  headers: Readonly<Record<string, string>> = {},
): Promise<SiteReply> {
  const { bytes, etag, encoding } = await file.as(acceptEncodingOf(request));
  return page(200, `${type}; charset=utf-8`, bytes, {
    'cache-control': REVALIDATED,
    vary: 'accept-encoding',
    ...headers,
    etag,
    ...(encoding && { 'content-encoding': encoding }),
  });
}
