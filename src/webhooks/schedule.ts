import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts';

/** Wait before the next attempt, after attempt 1..5. A sixth attempt exists only where an operator allowed it. */
const waits = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR] as const;

export const MAX_ATTEMPTS = 5;

/** Failed attempts in a row that disable a subscription. */
export const FAILURES_TO_DISABLE = 10;

/** One attempt: DNS, connection, request and the whole answer. */
export const ATTEMPT_MS = 10 * SECOND;

/**
 * How long a claim belongs to its process. Longer than an attempt with its record; short enough that the rows of a killed
 * process are tried again within 15 seconds, the poll included.
 */
export const LEASE_MS = 13 * SECOND;

/** What waits on a paused or disabled subscription is held this long. */
export const HELD_MS = 7 * DAY;

/** After a replacement the old secret keeps signing beside the new one for this long. */
export const SECRET_OVERLAP_MS = 24 * HOUR;

/** Bodies are kept this long; the rest of the log stays. */
export const BODY_KEPT_MS = 30 * DAY;

/** When a delivery that just failed is due again; undefined: it is dead. */
export function nextAttemptAt(attempts: number, maxAttempts: number, now: number): number | undefined {
  if (attempts >= maxAttempts) return undefined;
  return now + (waits[attempts - 1] ?? waits[waits.length - 1] ?? 0);
}
