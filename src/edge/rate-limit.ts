import type { QuotaId } from '../accounts/accounts.ts';
import { MINUTE, SECOND } from '../clock.ts';
import type { Tier } from '../contract/tiers.ts';

/** The quota of one key (or member) in one tier. `limit` is a whole number of calls per minute, at least 1. */
export interface RateLimiter {
  /** Counts the call when there is room for it; a refused call does not count. */
  take(quota: QuotaId, tier: Tier, limit: number, now: number): Verdict | Promise<Verdict>;
  /** The same answer for a call that is not made. */
  peek(quota: QuotaId, tier: Tier, limit: number, now: number): Verdict | Promise<Verdict>;
}

export interface Verdict {
  readonly admitted: boolean;
  readonly limit: number;
  /** Whole calls left, after the one that was taken. */
  readonly remaining: number;
  /** Until the minute rolls: 1 to 60. */
  readonly resetSeconds: number;
  /** After how many whole seconds a call is admitted if nobody else calls; 0 when this one is. */
  readonly retryAfterSeconds: number;
}

/** Calls admitted in a minute (counted from the epoch) and in the one before it. */
export interface Window {
  minute: number;
  previous: number;
  current: number;
}

export function emptyWindow(now: number): Window {
  return { minute: minuteOf(now), previous: 0, current: 0 };
}

export function minuteOf(now: number): number {
  return Math.floor(now / MINUTE);
}

/**
 * Brings the window to the minute of `now`. A clock less than a minute or two behind (two processes never quite agree) counts
 * into the window as it stands; a clock that was set back takes the counts along, so nothing is granted twice and nobody is
 * shut out until the old time comes round again.
 */
export function roll(window: Window, now: number): void {
  const minute = minuteOf(now);
  const ahead = minute - window.minute;
  if (ahead === 0 || ahead === -1) return;
  if (ahead > 0) {
    window.previous = ahead === 1 ? window.current : 0;
    window.current = 0;
  }
  window.minute = minute;
}

/**
 * The sliding estimate: the previous minute's calls by the share of that minute still inside the last 60 seconds, and this
 * minute's calls. Counted in calls × milliseconds, so it is a whole number and every comparison exact.
 */
function estimate({ minute, previous, current }: Window, now: number): number {
  const elapsed = Math.max(0, now - minute * MINUTE);
  return previous * (MINUTE - elapsed) + current * MINUTE;
}

export function hasRoom(window: Window, limit: number, now: number): boolean {
  return estimate(window, now) + MINUTE <= limit * MINUTE;
}

export function verdict(window: Window, limit: number, now: number, admitted: boolean): Verdict {
  const left = Math.max(0, limit * MINUTE - estimate(window, now));
  return {
    admitted,
    limit,
    remaining: Math.floor(left / MINUTE),
    resetSeconds: Math.ceil((MINUTE - (now % MINUTE)) / SECOND),
    retryAfterSeconds: admitted ? 0 : retryAfter(window, limit, now),
  };
}

/** The estimate only falls while nobody calls, so the first millisecond with room for one more decides. */
function retryAfter({ minute, previous, current }: Window, limit: number, now: number): number {
  const sinceStart = now - minute * MINUTE;
  const room = limit - 1 - current;
  // With this minute already full, room can only appear in the next one, when this minute's calls are the fading ones.
  const at = room >= 0 ? fadedTo(previous, room) : MINUTE + fadedTo(current, limit - 1);
  return Math.ceil((at - sinceStart) / SECOND);
}

/** The millisecond of a minute at which `calls` of the minute before weigh no more than `room`. */
function fadedTo(calls: number, room: number): number {
  return calls <= room ? 0 : MINUTE - Math.floor((room * MINUTE) / calls);
}
