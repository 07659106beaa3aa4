import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts';

/** Wait after attempt 1, 2, … 5. The fifth is the last unless the delivery is requeued; then the 12 hours apply. */
const waits = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR] as const;

export const MAX_ATTEMPTS = 5;

/** Consecutive failed attempts that disable a subscription. */
export const FAILURES_TO_DISABLE = 10;

/** Limit for one attempt: DNS, connection, request and the whole reply. */
export const ATTEMPT_MS = 10 * SECOND;

/**
 * How long a claim belongs to its process. Longer than an attempt and its recording take together; short enough that another
 * process retries the rows of a killed one within 15 seconds, including the wait for its next look at the queue.
 */
export const LEASE_MS = 13 * SECOND;

/** How long deliveries of a paused or disabled subscription are held before they are dead. */
export const HELD_MS = 7 * DAY;

/** How long a rotation stays open if it is not finished earlier: the old secret still signs. */
export const ROTATION_MS = 24 * HOUR;

/** A due time further ahead than this was written while a clock was wrong: no wait is longer, and an hour is to spare. */
export const FURTHEST_DUE_MS = Math.max(...waits) + 1 * HOUR;

/** How long bodies are kept; the rest of the log stays until `DELIVERY_RETENTION_DAYS` are over. */
export const BODY_KEPT_MS = 30 * DAY;

/** When to retry a delivery that just failed; undefined if it is dead. */
export function nextAttemptAt(attempts: number, maxAttempts: number, now: number): number | undefined {
  if (attempts >= maxAttempts) return undefined;
  return now + (waits[attempts - 1] ?? waits[waits.length - 1] ?? 0);
}
