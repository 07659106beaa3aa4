import { DAY, HOUR } from '../../../platform/clock.ts';

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
function settlesAt(reading: Reading, graceDays: number): number | undefined {
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
export function nextCheckAt(
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
