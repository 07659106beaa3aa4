import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, timestamp } from '../../../platform/clock.ts';
import { type ErrorCode, isReadFailure } from '../../../platform/contract/errors.ts';
import { Failure, fail } from '../../../platform/contract/failure.ts';
import { JSON_AS_FORM } from '../../../platform/contract/messages.ts';
import { DatabaseAway, isPassing, sqlState } from '../../../platform/db/database.ts';
import { acceptEncodingOf } from '../../../platform/http/compression.ts';
import type { FixedBody } from '../../../platform/http/fixed-body.ts';
import { Undecodable } from '../../../platform/http/form.ts';
import { hasTag, UNAVAILABLE_RETRY_SECONDS } from '../../../platform/http/headers.ts';
import { LargeBody } from '../../../platform/http/large-body.ts';
import type { Budgets } from '../../../platform/limits/budget.ts';
import type { Verdict } from '../../../platform/limits/rate-limit.ts';
import type { Log } from '../../../platform/log.ts';
import { notice } from '../../../platform/traces/traces.ts';
import type { FileReply, Reply } from '../endpoint.ts';
import type { ReadyReply } from '../ready.ts';
import { ApiRequest } from './api-request.ts';
import { passGates } from './edge.ts';
import { apiHeaders, failure, type Headers, nextRequestId, revalidated, success, untouchedQuota } from './envelope.ts';
import { ceilingOf, type Ground, SimulatedFailure } from './gates.ts';
import { type Host, isAtOrBelow } from './hosts.ts';
import { noteCall } from './noted-call.ts';
import { type Router, tierOf } from './route.ts';

export interface AnswerParts {
  readonly ground: Ground;
  readonly router: Router;
  readonly websiteUrl: string;
  readonly panelUrl: string;
  /** The API's description, the same on every host. */
  readonly openapi: () => FixedBody;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly log: Log;
  readonly countRequest: (endpoint: string, tier: string, status: number, ms: number) => void;
  /** Answers what comes in another dialect; undefined: there is no such door, or the request is not for it. */
  readonly door?: ((parts: AnswerParts, req: ApiRequest) => Promise<Answered> | undefined) | undefined;
}

/** How answers are written. */
export interface Dialect {
  /** The header with the credentials, on which every answer depends. */
  readonly vary: string;
  success(req: ApiRequest, status: number, body: Reply['body']): string;
  failure(req: ApiRequest, failed: Failure): { readonly status: number; readonly body: string };
}

const v3: Dialect = {
  vary: 'x-api-key',
  success({ ignored, livemode }, status, body) {
    return success(status, livemode, ignored ? { ...body, ignored } : body);
  },
  failure(req, failed) {
    const { ignored, livemode } = req;
    const extra = ignored ? { ...failed.extra, ignored } : failed.extra;
    const advice = isAboutJson(failed, req) ? JSON_AS_FORM : failed.advice;
    return { status: failed.status, body: failure(failed.code, livemode, extra, advice) };
  },
};

/** Answers one request on an API host: redirect, description, or through the gates into the envelope. */
export async function answerApi(
  parts: AnswerParts,
  host: Host,
  path: string,
  query: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reading = incoming.method === 'GET' || incoming.method === 'HEAD';
  const inside = isAtOrBelow(path, host.basePath);

  if (!inside && reading && host.environment !== 'legacy') {
    const { 'content-type': _, ...headers } = apiHeaders(host, nextRequestId());
    return send(response, incoming, 301, { ...headers, location: parts.websiteUrl }, '');
  }
  const below = path.slice(host.basePath.length);
  if (inside && reading && below === '/openapi.json') return describe(parts, host, incoming, response);

  const req = new ApiRequest(incoming, host, below, query, parts.clock.now());
  const atDoor = inside ? parts.door?.(parts, req) : undefined;
  if (atDoor) {
    const { status, headers, body } = await atDoor;
    return send(response, incoming, status, headers, body);
  }
  // Off the API paths no check applies, not even of the key against the host.
  if (inside) req.route = parts.router.find(req.path);
  const { status, headers, body } = await answered(parts, req, inside ? passGates : nothingThere);
  return send(response, incoming, status, headers, body);
}

async function describe(
  { openapi, panelUrl }: AnswerParts,
  host: Host,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const description = await openapi().as(acceptEncodingOf(incoming));
  // Programs that know only the API's address find the panel by it (RFC 8631).
  const headers = { ...apiHeaders(host, nextRequestId()), link: `<${panelUrl}>; rel="service-doc"` };
  const status = readyStatus(incoming, { ready: description }, headers, 'accept-encoding');
  return send(response, incoming, status, headers, description.bytes);
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Buffer | LargeBody;
}

type Gates = (ground: Ground, req: ApiRequest) => Promise<Reply | ReadyReply | FileReply>;

const nothingThere: Gates = async () => {
  throw fail('unknown_endpoint');
};

/** The result of the gates, in the envelope and with its headers; logged and counted. */
export async function answered(
  parts: AnswerParts,
  req: ApiRequest,
  gates: Gates,
  dialect: Dialect = v3,
): Promise<Answered> {
  const { id: requestId } = req;
  const headers = apiHeaders(req.host, requestId);
  headers.vary = dialect.vary;
  let status = 200;
  let body: Answered['body'];
  let text: string | Buffer | undefined;
  let failed: Failure | undefined;
  let orderId: unknown;
  req.budget = parts.budgets.begin();
  try {
    const reply = await req.budget.within(gates(parts.ground, req), () => {
      parts.log.warn({ requestId, path: req.route.pattern }, 'a request was answered unfinished: its time was up');
      throw fail('service_unavailable');
    });
    if ('ready' in reply) {
      const ignored = dialect === v3 ? req.ignored : undefined;
      status = readyStatus(req.incoming, reply, headers, `accept-encoding, ${dialect.vary}`);
      body = ignored ? naming(ignored, reply.ready.bytes) : reply.ready.bytes;
      text = ignored && Buffer.isBuffer(body) ? body : reply.ready.text;
    } else if ('file' in reply) {
      const { name, bytes } = reply.file;
      headers['content-type'] = req.route.endpoint?.fileType ?? 'application/octet-stream';
      headers['content-disposition'] = `attachment; filename="${name}"`;
      body = Buffer.from(bytes);
    } else {
      status = reply.status ?? 200;
      text = dialect.success(req, status, reply.body);
      body = text;
      orderId = reply.orderId ?? reply.body.order_id;
    }
  } catch (error) {
    failed = asFailure(error, req, parts, requestId);
    const told = dialect.failure(req, failed);
    status = told.status;
    text = told.body;
    body = text;
    failureHeaders(failed, headers);
    orderId = failed.extra.order_id;
  }
  if (req.caller?.aheadMs) headers['x-sandbox-clock'] = timestamp(req.now + req.caller.aheadMs);
  rateLimitHeaders(req.verdict ?? (await quotaLeft(parts.ground, req)), headers);
  const ms = parts.clock.now() - req.now;
  noteCall(parts.ground, req, { status, failed, orderId, ms, body, text });
  parts.countRequest(req.route.endpoint?.path ?? 'unknown', tierOf(req.route), status, ms);
  traceAnswer(req, failed, orderId);
  const { host, method, route, caller } = req;
  parts.log.info(
    { requestId, host: host.environment, method, path: route.pattern, status, key: caller?.quota, ms },
    'request',
  );
  countForPartner(parts.ground, req, status);
  return { status, headers, body };
}

/** What the span of a request says of it. */
function traceAnswer({ caller, host, method, route }: ApiRequest, failed: Failure | undefined, orderId: unknown): void {
  const path = `${host.basePath}${route.pattern}`;
  notice(
    {
      'http.route': path,
      ...(caller && { 'wayfare.partner_id': caller.partnerId, 'wayfare.mode': caller.mode }),
      ...(typeof orderId === 'number' && { 'wayfare.order_id': orderId }),
      ...(failed && { 'error.type': failed.code }),
    },
    { name: `${method} ${path}` },
  );
}

/** For the figures its partner sees. Members' calls in the panel are not API requests: their quota is not a number. */
function countForPartner({ worlds }: Ground, { caller, route, now }: ApiRequest, status: number): void {
  if (typeof caller?.quota !== 'number') return;
  worlds[caller.mode].insight.answered.count(caller.partnerId, route.endpoint?.path ?? 'unknown', status, now);
}

/** A finished answer with the names of ignored fields before its closing brace. */
function naming(ignored: readonly string[], bytes: Buffer | LargeBody): Buffer | LargeBody {
  const end = Buffer.from(`,"ignored":${JSON.stringify(ignored)}}`);
  return bytes instanceof LargeBody ? bytes.ending(1, end) : Buffer.concat([bytes.subarray(0, -1), end]);
}

function readyStatus(
  incoming: Pick<IncomingMessage, 'headers'>,
  { ready }: ReadyReply,
  headers: Headers,
  vary: string,
): 200 | 304 {
  revalidated(headers, ready.etag, vary);
  if (hasTag(incoming.headers['if-none-match'], ready.etag)) return 304;
  if (ready.encoding) headers['content-encoding'] = ready.encoding;
  return 200;
}

/** What went wrong, in the contract's words. Everything that is not a refusal is logged. */
function asFailure(error: unknown, req: ApiRequest, parts: AnswerParts, requestId: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Undecodable) return new Failure('malformed_request', {});
  const code = storeFailure(error, req, parts) ?? 'internal_error';
  // While the database is away every request fails like this; the alert is about the database, not about each request.
  const level = isPassing(error) ? 'warn' : 'error';
  parts.log[level]({ err: error, requestId, path: req.route.pattern, code }, 'request failed');
  return new Failure(code, {});
}

/**
 * A statement the database rejected is the endpoint's own code, where the contract has one. A database that cannot answer now is
 * 503, except for reads that have a code of their own: those of writes say that nothing was written, which may not be so.
 */
function storeFailure(error: unknown, req: ApiRequest, { ground }: AnswerParts): ErrorCode | undefined {
  if (error instanceof DatabaseAway) return 'service_unavailable';
  const passing = isPassing(error);
  if (!passing && sqlState(error) === undefined) return undefined;
  const world = req.caller && ground.worlds[req.caller.mode];
  const own = world && req.verdict && req.route.endpoint?.storeFailure?.(world.codes);
  if (!passing) return own;
  return own && isReadFailure(own) ? own : 'service_unavailable';
}

/** Fields are missing or wrong because the body is JSON. */
const isAboutJson = (failed: Failure, { hasJsonBody }: ApiRequest): boolean =>
  hasJsonBody && failed.status === 400 && !(failed instanceof SimulatedFailure);

function failureHeaders(failed: Failure, headers: Headers): void {
  if (failed.code === 'method_not_allowed') headers.allow = String(failed.extra.allow);
  if (failed.status === 503) headers['retry-after'] = UNAVAILABLE_RETRY_SECONDS;
  if (failed.code === 'rate_limited') headers['retry-after'] = Number(failed.extra.retry_after);
  if (failed.code === 'rate_limited' && failed instanceof SimulatedFailure) headers['x-ratelimit-remaining'] = 0;
}

/** On every answer: the limiter's verdict or, where it was not reached, the ceiling and what the key has left. */
function rateLimitHeaders(verdict: Verdict, headers: Headers): void {
  headers['x-ratelimit-limit'] = verdict.limit;
  headers['x-ratelimit-remaining'] ??= verdict.remaining;
  headers['x-ratelimit-reset'] = verdict.resetSeconds;
}

function quotaLeft(ground: Ground, req: ApiRequest): Verdict | Promise<Verdict> {
  const limit = ceilingOf(req);
  if (req.caller) return ground.limiter.peek(req.caller.quota, tierOf(req.route), limit, req.now);
  return untouchedQuota(limit, req.now);
}

function send(
  response: ServerResponse,
  incoming: IncomingMessage,
  status: number,
  headers: Headers,
  body: Answered['body'],
): void | Promise<void> {
  if (status !== 304 && status !== 204)
    headers['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, headers);
  if (incoming.method === 'HEAD' || status === 304) response.end();
  else if (body instanceof LargeBody) return body.sendTo(response);
  else response.end(body);
}
