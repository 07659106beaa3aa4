import { MINUTE, SECOND } from '../clock.ts';
import { type Tier, tierNames } from '../contract/key-terms.ts';

/**
 * Whose calls are counted together: a key's id, or a panel member's, marked because ids of keys and members overlap. What agents
 * send with a key is counted apart from what their tools then call with it, and the rows that a member changes together apart from requests.
 */
export type QuotaId =
  | number
  | `member:${number}`
  | `rows:${number}`
  | `operator:${number}`
  | `mcp:${number}`
  | `airalo:${string}`;

/** The quota of one key (or member) in one tier. `limit` is a whole number of calls per minute, at least 1. */
export interface RateLimiter {
  /** Counts the call if there is room for it; a refused call does not count. `calls`: as how many it counts, 1 if not given. */
  take(quota: QuotaId, tier: Tier, limit: number, now: number, calls?: number): Verdict | Promise<Verdict>;
  /** What `take` would answer, without counting a call. */
  peek(quota: QuotaId, tier: Tier, limit: number, now: number): Verdict | Promise<Verdict>;
}

export interface Verdict {
  readonly admitted: boolean;
  readonly limit: number;
  /** Whole calls left, after the one that was taken. */
  readonly remaining: number;
  /** Until the next minute: 1 to 60. */
  readonly resetSeconds: number;
  /**
   * Whole seconds until the call would be admitted if none is made before; 0 when this one is admitted. For a call that counts as more
   * than the limit there is no such time: until the whole limit is free.
   */
  readonly retryAfterSeconds: number;
}

/** Calls admitted in a minute (counted from the epoch) and in the one before it. */
interface Window {
  minute: number;
  previous: number;
  current: number;
}

export function emptyWindow(now: number): Window {
  return { minute: minuteOf(now), previous: 0, current: 0 };
}

function minuteOf(now: number): number {
  return Math.floor(now / MINUTE);
}

/**
 * Moves the window to the minute of `now`. Clocks of two processes differ a little, so a `now` in the minute before counts
 * into the window as it is. If the clock was set back further, the counts move back with it: nothing is granted twice, and
 * no key is locked out until the old time is reached again.
 */
function roll(window: Window, now: number): void {
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
 * The sliding estimate: this minute's calls, plus the previous minute's in proportion to how much of that minute is within
 * the last 60 seconds. The unit is calls × milliseconds, so everything is a whole number and every comparison exact.
 */
function estimate({ minute, previous, current }: Window, now: number): number {
  const elapsed = Math.max(0, now - minute * MINUTE);
  return previous * (MINUTE - elapsed) + current * MINUTE;
}

function hasRoom(window: Window, limit: number, now: number, calls = 1): boolean {
  return estimate(window, now) + calls * MINUTE <= limit * MINUTE;
}

export function verdict(window: Window, limit: number, now: number, admitted: boolean, calls = 1): Verdict {
  const left = Math.max(0, limit * MINUTE - estimate(window, now));
  return {
    admitted,
    limit,
    remaining: Math.floor(left / MINUTE),
    resetSeconds: Math.ceil((MINUTE - (now % MINUTE)) / SECOND),
    retryAfterSeconds: admitted ? 0 : retryAfter(window, Math.max(0, limit - calls), now),
  };
}

/** Without calls the estimate only falls, so what counts is the first millisecond at which no more than `most` count. */
function retryAfter({ minute, previous, current }: Window, most: number, now: number): number {
  const sinceStart = now - minute * MINUTE;
  const room = most - current;
  // If this minute is full already, there is room only in the next one, where this minute's calls count in proportion.
  const at = room >= 0 ? fadedTo(previous, room) : MINUTE + fadedTo(current, most);
  return Math.ceil((at - sinceStart) / SECOND);
}

/** The millisecond of a minute from which `calls` of the minute before count no more than `room`. */
function fadedTo(calls: number, room: number): number {
  return calls <= room ? 0 : MINUTE - Math.floor((room * MINUTE) / calls);
}

type Windows = Record<Tier, Map<QuotaId, Window>>;

/** After this many minutes a window affects no estimate. */
const GENERATION_MINUTES = 2;

/**
 * Quotas counted in this process, without waiting. Windows are kept in two generations: using a window moves it to the young
 * one, and the old one is dropped as a whole. Keys that are no longer used are thus forgotten without a search for them.
 */
export class MemoryRateLimiter implements RateLimiter {
  #young: Windows = noWindows();
  #old: Windows = noWindows();
  #born = 0;

  take(quota: QuotaId, tier: Tier, limit: number, now: number, calls = 1): Verdict {
    this.#age(now);
    let window = this.#young[tier].get(quota);
    if (window === undefined) {
      window = this.#old[tier].get(quota) ?? emptyWindow(now);
      this.#old[tier].delete(quota);
      this.#young[tier].set(quota, window);
    }
    roll(window, now);
    const admitted = hasRoom(window, limit, now, calls);
    if (admitted) window.current += calls;
    return verdict(window, limit, now, admitted, calls);
  }

  peek(quota: QuotaId, tier: Tier, limit: number, now: number): Verdict {
    const window = { ...(this.#young[tier].get(quota) ?? this.#old[tier].get(quota) ?? emptyWindow(now)) };
    roll(window, now);
    return verdict(window, limit, now, hasRoom(window, limit, now));
  }

  /** Windows kept. */
  get size(): number {
    return tierNames.reduce((sum, tier) => sum + this.#young[tier].size + this.#old[tier].size, 0);
  }

  #age(now: number): void {
    const minute = minuteOf(now);
    const age = minute - this.#born;
    // Clocks jitter. If a moment back made it younger, windows would be dropped a minute early, while they still count.
    if (age < -1) this.#born = minute;
    if (age < GENERATION_MINUTES) return;
    this.#old = this.#young;
    this.#young = noWindows();
    this.#born = minute;
  }
}

function noWindows(): Windows {
  return Object.fromEntries(tierNames.map((tier) => [tier, new Map<QuotaId, Window>()])) as Windows;
}
