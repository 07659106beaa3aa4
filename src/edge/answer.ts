import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from '../api/endpoint.ts';
import type { ReadyReply } from '../api/ready.ts';
import { type Clock, timestamp } from '../clock.ts';
import { type ErrorCode, errors, Failure, fail } from '../contract/errors.ts';
import { tiers } from '../contract/tiers.ts';
import { DatabaseAway, isConnectionError, sqlState } from '../db/database.ts';
import type { Log } from '../log.ts';
import { passGates } from './edge.ts';
import { failure, type Livemode, success } from './envelope.ts';
import { Exchange } from './exchange.ts';
import { Undecodable } from './form.ts';
import { ceilingOf, type Ground } from './gates.ts';
import { type Host, isAtOrBelow } from './hosts.ts';
import { emptyWindow, type Verdict, verdict as verdictOf } from './rate-limit.ts';
import { nextRequestId } from './request-id.ts';
import { type Router, tierOf, UNKNOWN_PATH_TIER } from './route.ts';
import { SimulatedFailure } from './simulate-error.ts';

export interface AnswerParts {
  readonly ground: Ground;
  readonly router: Router;
  readonly websiteUrl: string;
  /** By the base path of the host. */
  readonly openapi: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly countRequest: (endpoint: string, tier: string, status: number, ms: number) => void;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers one request on an API host: redirect, description, or through the gates into the envelope. */
export async function answerApi(
  parts: AnswerParts,
  host: Host,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = request.url ?? '/';
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const queryText = cut < 0 ? '' : url.slice(cut + 1);
  const reading = request.method === 'GET' || request.method === 'HEAD';
  const inside = isAtOrBelow(path, host.basePath);

  if (!inside && reading && host.environment !== 'legacy') {
    response.writeHead(301, { location: parts.websiteUrl, 'content-length': 0 }).end();
    return;
  }
  if (inside && reading && path === `${host.basePath}/openapi.json`) {
    return send(response, request, 200, { 'content-type': JSON_TYPE }, parts.openapi.get(host.basePath) ?? '');
  }

  const x = new Exchange(request, host, path.slice(host.basePath.length), queryText, parts.clock.now());
  // Off the API paths no check applies, not even of the key against the host.
  if (inside) x.route = parts.router.find(x.path);
  const { status, headers, body } = await answered(parts, x, path, inside ? passGates : nothingThere);
  send(response, request, status, headers, body);
}

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly body: string | Buffer;
}

type Gates = (ground: Ground, x: Exchange) => Promise<Reply | ReadyReply>;

const nothingThere: Gates = async () => {
  throw fail('unknown_endpoint');
};

/** What comes out of the gates, in the envelope, with its headers; logged and counted. `path` is the whole one. */
export async function answered(parts: AnswerParts, x: Exchange, path: string, gates: Gates): Promise<Answered> {
  const requestId = nextRequestId();
  const headers: Record<string, string | number> = { 'content-type': JSON_TYPE, 'x-request-id': requestId };
  let status = 200;
  let body: string | Buffer;
  try {
    const reply = await gates(parts.ground, x);
    if ('ready' in reply) {
      status = readyStatus(x.request, reply, headers);
      body = status === 304 ? '' : reply.ready.bytes;
    } else {
      status = reply.status ?? 200;
      body = success(status, x.livemode, reply.body);
    }
  } catch (error) {
    const failed = asFailure(error, x, parts, requestId);
    status = failed.status;
    body = failure(failed.code, x.livemode, failed.extra);
    failureHeaders(failed, headers);
  }
  if (x.caller?.aheadMs) headers['x-sandbox-clock'] = timestamp(x.now + x.caller.aheadMs);
  rateLimitHeaders(x.verdict ?? (await quotaLeft(parts.ground, x)), headers);
  const ms = parts.clock.now() - x.now;
  parts.countRequest(x.route.endpoint?.path ?? 'unknown', tierOf(x.route), status, ms);
  parts.log.info(
    {
      requestId,
      host: x.host.environment,
      method: x.method,
      path,
      status,
      key: x.caller?.quota,
      ms,
    },
    'request',
  );
  return { status, headers, body };
}

function readyStatus(
  request: IncomingMessage,
  { ready }: ReadyReply,
  headers: Record<string, string | number>,
): number {
  headers.etag = ready.etag;
  headers['cache-control'] = 'private, no-cache';
  headers.vary = 'accept-encoding, x-api-key';
  const known = request.headers['if-none-match'];
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === ready.etag)) return 304;
  if (ready.encoding) headers['content-encoding'] = ready.encoding;
  return 200;
}

/** What went wrong, in the contract's words. Everything that is not a refusal is logged. */
function asFailure(error: unknown, x: Exchange, parts: AnswerParts, requestId: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof Undecodable) return new Failure('malformed_request', {});
  const code = storeFailure(error, x, parts) ?? 'internal_error';
  parts.log.error({ err: error, requestId, path: x.path, code }, 'request failed');
  return new Failure(code, {});
}

/** The database away altogether is 503; a read or write it refused is the endpoint's own code, where the contract has one. */
function storeFailure(error: unknown, x: Exchange, { ground }: AnswerParts): ErrorCode | undefined {
  if (error instanceof DatabaseAway) return 'service_unavailable';
  if (!isConnectionError(error) && sqlState(error) === undefined) return undefined;
  const world = x.caller && ground.worlds[x.caller.mode];
  const own = world && x.verdict && x.route.endpoint?.storeFailure?.(world.codes);
  return own ?? (isConnectionError(error) ? 'service_unavailable' : undefined);
}

function failureHeaders(failed: Failure, headers: Record<string, string | number>): void {
  if (failed.code === 'method_not_allowed') headers.allow = String(failed.extra.allow);
  if (failed.code === 'rate_limited') headers['retry-after'] = Number(failed.extra.retry_after);
  if (failed.code === 'rate_limited' && failed instanceof SimulatedFailure) headers['x-ratelimit-remaining'] = 0;
}

/** On every answer: the limiter's verdict or, when it was not reached, the ceiling and what the key has left. */
function rateLimitHeaders(verdict: Verdict, headers: Record<string, string | number>): void {
  headers['x-ratelimit-limit'] = verdict.limit;
  headers['x-ratelimit-remaining'] ??= verdict.remaining;
  headers['x-ratelimit-reset'] = verdict.resetSeconds;
}

function quotaLeft(ground: Ground, x: Exchange): Verdict | Promise<Verdict> {
  const limit = ceilingOf(x);
  if (x.caller) return ground.limiter.peek(x.caller.quota, tierOf(x.route), limit, x.now);
  return untouched(limit, x.now);
}

/** Without a known key: the whole ceiling is left. */
const untouched = (limit: number, now: number): Verdict => verdictOf(emptyWindow(now), limit, now, true);

function send(
  response: ServerResponse,
  request: IncomingMessage,
  status: number,
  headers: Record<string, string | number>,
  body: string | Buffer,
): void {
  if (status !== 304) headers['content-length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' || status === 304 ? undefined : body);
}

/** A refusal outside the gates (unknown host, broken HTTP): envelope and headers like any other. */
export function plainRefusal(
  code: ErrorCode,
  livemode: Livemode,
  now: number,
): { status: number; headers: Record<string, string | number>; body: string } {
  const body = failure(code, livemode);
  const { limit, remaining, resetSeconds } = untouched(tiers[UNKNOWN_PATH_TIER], now);
  const headers = {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': nextRequestId(),
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetSeconds,
  };
  return { status: errors[code].status, headers, body };
}
