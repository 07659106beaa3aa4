import { randomUUID } from 'node:crypto';
import { type ErrorCode, errors } from '../../../platform/contract/errors.ts';
import { tiers } from '../../../platform/contract/key-terms.ts';
import { messages } from '../../../platform/contract/messages.ts';
import { HSTS, NOT_STORED, REVALIDATED } from '../../../platform/http/headers.ts';
import { emptyWindow, type Verdict, verdict } from '../../../platform/limits/rate-limit.ts';
import type { Host } from './hosts.ts';
import { UNKNOWN_PATH_TIER } from './route.ts';

/** The start is random per process, the rest counts up: ids are unique without generating random bytes per request. */
const ours = randomUUID().slice(0, 24);
const LAST_DIGITS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
let count = 0;
/** All but the last two digits, which are the same for 256 ids. */
let beginning = '';

export function nextRequestId(): string {
  count += 1;
  const last = count % LAST_DIGITS.length;
  if (last === 0 || beginning === '')
    beginning = ours + ((count - last) / LAST_DIGITS.length).toString(16).padStart(10, '0');
  return beginning + LAST_DIGITS[last];
}

export const API_VERSION = 3;

/** `livemode: false` in sandbox answers; live answers do not carry the field. */
export type Livemode = { readonly livemode?: false };
export const sandboxMark: Livemode = { livemode: false };
export const liveMark: Livemode = {};

/** Without a known key, the host alone decides. */
export const livemodeOf = (host: Host | undefined): Livemode =>
  host?.environment === 'sandbox' ? sandboxMark : liveMark;

const openings = new Map<string, string>();

/** The envelope's fields come first and take few values, so their text is kept and only the answer's own are written. */
export function success(status: number, livemode: Livemode, body: Readonly<Record<string, unknown>>): string {
  const name = livemode === sandboxMark ? `${status} sandbox` : `${status}`;
  let opening = openings.get(name);
  if (opening === undefined) {
    const fields = { result: 'ok', code: String(status), title: 'Successful', api_version: API_VERSION, ...livemode };
    opening = JSON.stringify(fields).slice(0, -1);
    openings.set(name, opening);
  }
  const own = JSON.stringify(body);
  return own === '{}' ? `${opening}}` : `${opening},${own.slice(1)}`;
}

export function failure(
  code: ErrorCode,
  livemode: Livemode,
  extra: Readonly<Record<string, unknown>> = {},
  message: string = messages[code],
): string {
  return JSON.stringify({
    result: 'fail',
    code: String(errors[code].status),
    error: code,
    title: 'Unsuccessful',
    message,
    api_version: API_VERSION,
    ...livemode,
    ...extra,
  });
}

export type Headers = Record<string, string | number>;

const JSON_TYPE = 'application/json; charset=utf-8';

/** What every answer of the API starts with. It depends on the key, so a cache that is shared must not keep it. */
export function apiHeaders(host: Host | undefined, requestId: string): Headers {
  const headers: Headers = {
    'content-type': JSON_TYPE,
    'cache-control': NOT_STORED,
    vary: 'x-api-key',
    'x-request-id': requestId,
  };
  if (host?.secure) headers['strict-transport-security'] = HSTS;
  return headers;
}

/** For bodies that are kept ready: the client may keep them too, and asks whether they have changed. */
export function revalidated(headers: Headers, etag: string, vary: string): void {
  headers.etag = etag;
  headers['cache-control'] = REVALIDATED;
  headers.vary = vary;
}

/** Without a known key nothing has been counted: the whole ceiling is left. */
export const untouchedQuota = (limit: number, now: number): Verdict => verdict(emptyWindow(now), limit, now, true);

/** A refusal outside the gates (unknown host, broken HTTP): the same envelope and headers as any other. */
export function plainRefusal(
  code: ErrorCode,
  host: Host | undefined,
  now: number,
): { status: number; headers: Record<string, string | number>; body: string } {
  const body = failure(code, livemodeOf(host));
  const { limit, remaining, resetSeconds } = untouchedQuota(tiers[UNKNOWN_PATH_TIER], now);
  const headers = {
    ...apiHeaders(host, nextRequestId()),
    'content-length': Buffer.byteLength(body),
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetSeconds,
  };
  return { status: errors[code].status, headers, body };
}
