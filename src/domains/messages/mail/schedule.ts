import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';

/** Wait after attempt 1, 2, … Greylisting is over after the third, an outage of a night after the seventh. */
const waits = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 1 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR] as const;

export const MAX_ATTEMPTS = waits.length + 1;

/** What is still unsent after this is given up: when a server comes back after a week, old invitations and notices would only confuse. */
export const STALE_AFTER_MS = 3 * DAY;

/** Limit for a batch of mails, from the connection to the last reply. */
export const BATCH_MS = 30 * SECOND;

/** How long a claim belongs to its process: longer than a batch and its recording take together. */
export const LEASE_MS = 45 * SECOND;

/** A due time further ahead than this was written while a clock was wrong: no wait is longer. */
export const FURTHEST_DUE_MS = Math.max(...waits) + 1 * HOUR;

/** How long `mail list` shows what was sent or given up. */
export const KEPT_MS = 30 * DAY;

/** When to retry a mail that just failed; undefined if it is given up. */
export function nextAttemptAt(attempts: number, createdAt: number, now: number): number | undefined {
  const wait = waits[attempts - 1];
  return wait === undefined || now + wait > createdAt + STALE_AFTER_MS ? undefined : now + wait;
}
