import { type Clock, MINUTE } from '../clock.ts';
import type { Log } from '../log.ts';

const AGAIN_MS = 10 * MINUTE;
const MAX_REASONS = 100;

/**
 * Alerts the operator, and repeats an alert only after a while: otherwise every purchase would report that the credit has run out.
 */
export function openAlarm({
  supplier,
  message,
  clock,
  log,
}: {
  supplier: string;
  message: string;
  clock: Clock;
  log: Log;
}): (reason: string) => void {
  const toldAt = new Map<string, number>();
  return (reason) => {
    const now = clock.now();
    if (now - (toldAt.get(reason) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (toldAt.size >= MAX_REASONS) toldAt.clear();
    toldAt.set(reason, now);
    log.error({ supplier, reason }, message);
  };
}
