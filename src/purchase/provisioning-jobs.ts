import { MINUTE, SECOND } from '../clock.ts';
import type { Job } from '../jobs/runner.ts';
import type { World } from '../worlds/world.ts';

/** Finishes paid orders nobody is waiting on any more, and tells the operator of those that cannot be finished. */
export function provisioningJobs({ provisioning, schema }: World): Job[] {
  return [
    { name: `provision ${schema}`, everyMs: SECOND, run: () => provisioning.provisionDue() },
    {
      name: `overdue ${schema}`,
      everyMs: MINUTE,
      async run() {
        await provisioning.reportOverdue();
        return 0;
      },
    },
  ];
}
