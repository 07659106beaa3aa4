import { type ErrorCode, errors } from '../../../platform/contract/errors.ts';
import { tiers } from '../../../platform/contract/tiers.ts';
import { emptyWindow, type Verdict, verdict } from '../../../platform/limits/rate-limit.ts';
import { apiHeaders, failure, livemodeOf } from './envelope.ts';
import type { Host } from './hosts.ts';
import { nextRequestId } from './request-id.ts';
import { UNKNOWN_PATH_TIER } from './route.ts';

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
