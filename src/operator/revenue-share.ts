import { audit } from '../actions/audit-log.ts';
import { timestamp } from '../clock.ts';
import { openRevenueShare, readTerms, writeGraceDays } from '../revenue-share/revenue-share.ts';
import { command } from './command.ts';
import { integer, required, time } from './options.ts';

export const revenueShareCommands = [
  command({
    path: ['settle'],
    summary: 'Settle the revenue share that is due, as the job does by itself',
    options: { now: time('as if it were then') },
    async run({ db, worlds, clock, who }, { now }) {
      const at = now ?? new Date(clock.now());
      const done = await openRevenueShare(worlds.live).settle(at.getTime());
      const result = { looked: done.looked, shares: done.accrued, settled: done.settled };
      await db.tx((tx) =>
        audit(tx, { who, what: 'settle', target: `revenue share at ${timestamp(at)}`, after: result }),
      );
      return result;
    },
  }),
  command({
    path: ['revenue-share', 'set'],
    summary: 'Set how many days after its expiry an eSIM may be settled',
    options: { 'grace-days': required(integer('DAYS', 'the settlement grace window')) },
    async run({ db, who }, { 'grace-days': graceDays }) {
      return db.tx(async (tx) => {
        const before = { grace_days: (await readTerms(tx)).graceDays };
        await writeGraceDays(tx, graceDays);
        const after = { grace_days: graceDays };
        await audit(tx, { who, what: 'revenue-share set', target: 'settings', before, after });
        return after;
      });
    },
  }),
];
