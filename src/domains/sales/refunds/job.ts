import { SECOND } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

interface JobWorld {
  readonly schema: Mode;
  readonly refunds: { withdrawDue(): Promise<number>; handBackDue(): Promise<number> };
}

/** Finishes withdrawals that no request is waiting for any more, and returns eSIMs of cancelled orders. */
export const refundJob = ({ refunds, schema }: JobWorld): Job => ({
  name: `refund ${schema}`,
  everyMs: SECOND,
  run: async () => (await refunds.withdrawDue()) + (await refunds.handBackDue()),
});
