import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../../../platform/clock.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';

/** Their limits per minute are kept by tier, so a long list does not hold up purchases. */
export type Tier = 'catalog' | 'read' | 'purchase' | 'money';

const tiers: readonly (readonly [RegExp, Tier])[] = [
  [/^(catalog\/|esim\/refills)/, 'catalog'],
  [/^purchase\/(buy|refill)/, 'purchase'],
  [/^order\/refund/, 'money'],
];

export const tierOf = (path: string): Tier => tiers.find(([pattern]) => pattern.test(path))?.[1] ?? 'read';

export interface Limits {
  /** Waits until a call of this tier may be made. False: not within the limit, so the call must not be made. */
  turn(tier: Tier, limitMs: number): Promise<boolean>;
  /** What came with an answer: the limit is a minute's, and a refused call says when to come again. */
  note(tier: Tier, status: number, header: (name: string) => string): void;
}

/** No answer makes us wait longer than a window of theirs, however large its figures. */
const LONGEST_MS = 60 * SECOND;

export function openLimits(): Limits {
  const closed = new Map<Tier, Deadline>();
  const close = (tier: Tier, seconds: number) =>
    closed.set(tier, deadlineIn(Math.min(LONGEST_MS, Math.max(1, seconds) * SECOND)));

  return {
    async turn(tier, limitMs) {
      const limit = deadlineIn(limitMs);
      for (;;) {
        const waitMs = closed.get(tier)?.leftMs() ?? 0;
        if (waitMs === 0) return true;
        if (waitMs >= limit.leftMs()) return false;
        await wait(waitMs);
      }
    },
    note(tier, status, header) {
      const seconds = (name: string) => (/^\d{1,5}$/.test(header(name)) ? Number(header(name)) : undefined);
      if (status === 429) close(tier, seconds('retry-after') ?? seconds('x-ratelimit-reset') ?? 60);
      else if (seconds('x-ratelimit-remaining') === 0) close(tier, seconds('x-ratelimit-reset') ?? 60);
    },
  };
}
