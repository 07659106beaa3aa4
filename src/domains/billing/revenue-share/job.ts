import { type Clock, MINUTE } from '../../../platform/clock.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

interface Rounds {
  pass(now: number, signal?: AbortSignal): Promise<{ readonly looked: number; readonly settled: number }>;
}

/** Keeps the readings of sold eSIMs current and settles the shares that have come due. */
export function revenueShareJob(revenueShare: Rounds, clock: Clock): Job {
  return {
    name: 'revenue-share',
    everyMs: MINUTE,
    async run(signal) {
      const { looked, settled } = await revenueShare.pass(clock.now(), signal);
      return looked + settled;
    },
  };
}
