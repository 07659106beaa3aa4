import { LRUCache } from 'lru-cache';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { UsageDesk } from '../../sales/usage/usage.ts';
import type { LastUsage, SharedEsim } from './shared-esim.ts';

/** One link makes a process ask for its eSIM's usage once in this time, also while the supplier does not answer. */
const ASK_EVERY_MS = 90 * SECOND;
/** eSIMs whose usage all pages of a process ask for at the same time; further pages show the last figures. */
const ASK_AT_ONCE = 4;
/** Counted as a size: a cache with a `max` takes the memory of all of them when it is made. */
const MAX_REMEMBERED = 50_000;

/**
 * Anyone can open a page as often as they like, and must not be able to use up what a supplier allows us. Readings themselves are
 * fresh for 90 seconds and asked for once at a time (`domains/sales/usage/usage.ts`); here we limit what happens when none comes back, and how
 * much of a supplier's time all pages together may take.
 */
export function freshUsage(usage: UsageDesk, clock: Clock): (of: SharedEsim) => Promise<LastUsage | null> {
  const lastTriedAt = new LRUCache<string, number>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
  let asking = 0;
  return async ({ orderId, partnerId, esim: { iccid }, aheadMs, usage: last }) => {
    const now = clock.now();
    if (asking >= ASK_AT_ONCE || now - (lastTriedAt.get(iccid) ?? 0) < ASK_EVERY_MS) return last;
    lastTriedAt.set(iccid, now);
    asking += 1;
    try {
      const read = await usage.of(partnerId, iccid, { now: () => clock.now() + aheadMs });
      // An ICCID that its supplier has used again is read for its latest order.
      return read?.orderId === orderId ? read : last;
    } finally {
      asking -= 1;
    }
  };
}
