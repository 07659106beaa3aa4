import { type Tier, tierNames } from '../contract/key-terms.ts';
import {
  emptyWindow,
  hasRoom,
  minuteOf,
  type QuotaId,
  type RateLimiter,
  roll,
  type Verdict,
  verdict,
  type Window,
} from './rate-limit.ts';

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
