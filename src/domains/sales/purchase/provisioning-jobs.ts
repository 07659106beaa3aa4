import { MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Routing } from './route-on.ts';

interface JobWorld {
  readonly schema: Mode;
  readonly provisioning: { provisionDue(routing?: Routing): Promise<number>; reportOverdue(): Promise<number> };
}

/** Finishes paid orders that no request is waiting for any more, and reports those that take too long. */
export function provisioningJobs({ provisioning, schema }: JobWorld, routing: Routing): Job[] {
  return [
    { name: `provision ${schema}`, everyMs: SECOND, run: () => provisioning.provisionDue(routing) },
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
