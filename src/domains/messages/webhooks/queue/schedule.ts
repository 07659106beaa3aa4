import { DAY, HOUR, MINUTE, SECOND } from '../../../../platform/clock.ts';

/** Wait after attempt 1, 2, … 5. The fifth is the last unless the delivery is requeued; then the 12 hours apply. */
const waits = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR] as const;

export const MAX_ATTEMPTS = 5;

/** Consecutive failed attempts that disable a subscription. */
export const FAILURES_TO_DISABLE = 10;

/**
 * When a disabled subscription is tried again, counted from the try before (the first from when it was disabled): after 1, 5, 15 and
 * 30 minutes, then hourly for three days.
 */
const firstRecoveryWaits = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE] as const;
const RECOVERY_EVERY_MS = 1 * HOUR;
export const FIRST_RECOVERY_MS = firstRecoveryWaits[0];
/** A try further ahead than this was planned while a clock was wrong. */
export const FURTHEST_RECOVERY_MS = RECOVERY_EVERY_MS + 1 * HOUR;
export const MAX_RECOVERY_ATTEMPTS = firstRecoveryWaits.length + (3 * DAY) / RECOVERY_EVERY_MS;

/** When to try a receiver next after `tries` failed tries; undefined if that was the last. */
export function nextRecoveryAt(tries: number, now: number): number | undefined {
  return tries < MAX_RECOVERY_ATTEMPTS ? now + (firstRecoveryWaits[tries] ?? RECOVERY_EVERY_MS) : undefined;
}

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
