import { setTimeout as wait } from 'node:timers/promises';
import { DAY, HOUR, SECOND } from '../../../platform/clock.ts';
import type { Candidate } from './candidates.ts';

/** What the supplier last said about an eSIM. */
export interface Reading {
  /** Null: the supplier does not say, so the plan's own amount counts. */
  readonly totalMb: number | null;
  readonly usedMb: number;
  readonly expiresAt: Date | null;
  readonly fetchedAt: Date;
}

/** Between 0 and 1; production passes `Math.random`. */
export type Chance = () => number;

/** Suppliers report usage hours late, so the reading that matters is taken this long after the expiry. */
const LAG = 3 * HOUR;
/** A reading from before the expiry is not enough while the supplier may still answer. After this long it has to do. */
const PATIENCE = 7 * DAY;

/** When the share of a sale with this reading may be settled; undefined while the eSIM has no expiry. */
export function settlesAt(reading: Reading, graceDays: number): number | undefined {
  return reading.expiresAt ? reading.expiresAt.getTime() + graceDays * DAY : undefined;
}

/** The grace period is over, and the reading is from after the expiry (or no newer one can be expected). */
export function isReady(reading: Reading, now: number, graceDays: number): boolean {
  const at = settlesAt(reading, graceDays);
  if (reading.expiresAt === null || at === undefined || now < at) return false;
  return reading.fetchedAt >= reading.expiresAt || now >= at + PATIENCE;
}

/**
 * When to look at an unsettled sale again. Waits grow, so a sale that never earns anything costs less and less. Each wait is
 * jittered, so that the sales of one day do not all come back at once.
 */
export function nextLook(
  sale: { readonly deliveredAt: Date; readonly reading: Reading | null },
  now: number,
  graceDays: number,
  chance: Chance,
): number {
  const { reading } = sale;
  const wait = (atLeast: number, age: number) => Math.max(atLeast, age) * (1 + chance() / 10);
  const due = reading ? settlesAt(reading, graceDays) : undefined;
  if (!reading?.expiresAt || due === undefined) return now + wait(12 * HOUR, (now - sale.deliveredAt.getTime()) / 4);
  if (now >= due) return now + wait(reading.fetchedAt < reading.expiresAt ? HOUR : DAY, now - due);
  const readAt = reading.expiresAt.getTime() + LAG;
  return now < readAt ? Math.min(now + wait(DAY, 0), readAt + chance() * HOUR, due) : due;
}

/** Takes readings of these sales' eSIMs. Those without an answer are missing. */
type Ask = (orderIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, Reading>>;
/** How many readings a second a supplier allows; undefined: any number. */
type AllowedPerSecond = (supplier: string) => Promise<number | undefined>;

/** The answer for each sale whose supplier was asked or is known to be silent. The other sales were not reached. */
type Answers = ReadonlyMap<bigint, Reading | undefined>;
export type TakeReadings = (sales: readonly Candidate[], signal?: AbortSignal) => Promise<Answers>;

const ASK_AT_ONCE = 4;
/** Consecutive unanswered readings after which a supplier is skipped for the rest of the round. */
const SILENT_AFTER = 8;

/** Asks all suppliers concurrently, each no faster than it allows and only while it answers. */
export function paced(ask: Ask, allowed: AllowedPerSecond): TakeReadings {
  return async (sales, signal) => {
    const answers = new Map<bigint, Reading | undefined>();

    async function askSupplier(supplier: string, orderIds: readonly bigint[]): Promise<void> {
      const perSecond = (await allowed(supplier)) ?? Number.POSITIVE_INFINITY;
      let unanswered = 0;
      for (let i = 0; i < orderIds.length && !signal?.aborted; i += ASK_AT_ONCE) {
        const some = orderIds.slice(i, i + ASK_AT_ONCE);
        const given = unanswered < SILENT_AFTER ? await ask(some) : new Map<bigint, Reading>();
        for (const orderId of some) answers.set(orderId, given.get(orderId));
        unanswered = given.size > 0 ? 0 : unanswered + some.length;
        const restMs = unanswered < SILENT_AFTER ? (some.length * SECOND) / perSecond : 0;
        if (restMs > 0) await wait(restMs, undefined, signal && { signal }).catch(() => {});
      }
    }

    const bySupplier = Map.groupBy(sales, ({ supplier }) => supplier);
    await Promise.all(
      [...bySupplier].map(([name, its]) =>
        askSupplier(
          name,
          its.map(({ orderId }) => orderId),
        ),
      ),
    );
    return answers;
  };
}
