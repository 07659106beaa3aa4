import { openRevenueShare, readTerms, writeGraceDays } from '../../domains/billing/revenue-share/revenue-share.ts';
import { formatCents, toCents } from '../../platform/amounts/cents.ts';
import { step } from '../../platform/audit/action-keys.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import { SECOND, timestamp } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action } from '../action.ts';
import { integer, required, time } from '../fields.ts';

/** How long a preview may ask suppliers. */
const PREVIEW_MS = 10 * SECOND;

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
      // The settlement commits batch by batch. What the first step checks, e.g. whether it is approved, comes before the first batch.
      if (context.config.fourEyes !== undefined) await step(context, async () => undefined);
      const done = await openRevenueShare(worlds.live).settle(at.getTime());
      const result = { looked: done.looked, shares: done.accrued, settled: done.settled };
      // The settlement commits batch by batch; the entry records what it came to.
      return change(context, 'settle', () => ({
        target: `revenue share at ${timestamp(at)}`,
        after: result,
        result,
      }));
    },
    fourEyes: {
      isSlow: true,
      async subject({ worlds, clock, db }, { now: given }) {
        // A time is kept in whole seconds.
        const now = given ?? new Date(Math.ceil(clock.now() / SECOND) * SECOND);
        const preview = await openRevenueShare(worlds.live).preview(now.getTime(), AbortSignal.timeout(PREVIEW_MS));
        const sum = toCents(preview.partners.reduce((all, { amount }) => all + amount, 0n));
        const least = preview.isWhole ? '' : 'at least ';
        return {
          // Otherwise suppliers are slow to answer, and the sum is not known.
          amounts: preview.isWhole ? preview.partners.map(({ partnerId, amount }) => ({ partnerId, amount })) : 'any',
          words: `Settle the revenue share that was due at ${timestamp(now)} UTC: ${least}${formatCents(sum)} USD to ${preview.partners.length} partner${preview.partners.length === 1 ? '' : 's'}`,
          terms: { 'grace days': String((await readTerms(db)).graceDays) },
          fixed: { now: timestamp(now) },
        };
      },
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
