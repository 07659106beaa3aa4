import { type Clock, MINUTE } from '../clock.ts';
import type { Job } from '../jobs/runner.ts';
import type { RevenueShare } from './revenue-share.ts';

/** Keeps readings of sold eSIMs and settles the shares whose time has come. */
export function revenueShareJob(revenueShare: RevenueShare, clock: Clock): Job {
  return {
    name: 'revenue-share',
    everyMs: MINUTE,
    async run(signal) {
      const { looked, settled } = await revenueShare.pass(clock.now(), signal);
      return looked + settled;
    },
  };
}
