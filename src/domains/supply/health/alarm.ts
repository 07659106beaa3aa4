import { MINUTE } from '../../../platform/clock.ts';
import type { Services } from '../../../platform/start/services.ts';

const AGAIN_MS = 10 * MINUTE;
const MAX_REASONS = 100;

/**
 * Alerts the operator, and repeats an alert only after a while: otherwise every purchase would report that the credit has run out.
 */
export function openAlarm(
  supplier: string,
  message: string,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): (reason: string) => void {
  const loggedAt = new Map<string, number>();
  return (reason) => {
    const now = clock.now();
    if (now - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (loggedAt.size >= MAX_REASONS) loggedAt.clear();
    loggedAt.set(reason, now);
    log.error({ supplier, reason }, message);
  };
}
