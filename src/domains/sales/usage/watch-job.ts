import { SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

interface WatchedWorld {
  readonly schema: Mode;
  readonly usage: { readDue(signal?: AbortSignal): Promise<number> };
}

/** Reads the usage of watched eSIMs. */
export const watchJob = ({ schema, usage }: WatchedWorld): Job => ({
  name: `watch ${schema}`,
  everyMs: SECOND,
  run: (signal) => usage.readDue(signal),
});
