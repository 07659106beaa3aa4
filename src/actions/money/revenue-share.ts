import { openRevenueShare, readTerms, writeGraceDays } from '../../domains/billing/revenue-share/revenue-share.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action } from '../action.ts';
import { integer, required, time } from '../fields.ts';

const shownTerms = async (tx: Tx) => ({ grace_days: (await readTerms(tx)).graceDays });

export const revenueShareActions = [
  action({
    name: 'settle',
    console: { may: 'money', fresh: true },
    summary: 'Settle the revenue share that is due now, without waiting for the scheduled job',
    options: { now: time('settle as if it were this time; by default the current time') },
    async run(context, { now }) {
      const { worlds, clock } = context;
      const at = now ?? new Date(clock.now());
      const done = await openRevenueShare(worlds.live).settle(at.getTime());
      const result = { looked: done.looked, shares: done.accrued, settled: done.settled };
      // The settlement commits batch by batch; the entry records what it came to.
      return change(context, 'settle', () => ({
        target: `revenue share at ${timestamp(at)}`,
        after: result,
        result,
      }));
    },
  }),
  action({
    name: 'revenue-share set',
    console: { may: 'money', fresh: true },
    summary: 'Set the grace period: how many days after an eSIM expires its revenue share is settled',
    options: { 'grace-days': required(integer('DAYS', 'the grace period in days')) },
    run: (context, { 'grace-days': graceDays }) =>
      amend(context, 'revenue-share set', 'settings', shownTerms, (tx) => writeGraceDays(tx, graceDays)),
  }),
];
