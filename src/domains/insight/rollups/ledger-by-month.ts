/*
 * Sums of the ledger by account and month, for the trial balance: without them it would read every transfer there is.
 *
 * The ledger is append-only, so each movement is added once, in the order of ids, and `movements_to` says how far we came. Ids are
 * taken before they are committed: 1002 may be visible while 1001 is still being written. So only movements older than a day are added;
 * no transaction is open for that long. The trial balance reads those after `movements_to` from the ledger itself.
 *
 * Sums and `movements_to` are written in one transaction: a pass that is killed has done nothing.
 */

import { type Clock, DAY, MINUTE } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

const BATCH = 5_000;

/** For the world whose movements are never deleted. */
export const ledgerByMonthJob = ({ schema, db }: { schema: string; db: Db }, clock: Clock): Job => ({
  name: `ledger by month ${schema}`,
  everyMs: 1 * MINUTE,
  run: () => addToMonths(db, clock),
});

/** One pass. Returns 0 when nothing is left to add for now. */
export async function addToMonths(db: Db, clock: Clock, batch = BATCH): Promise<number> {
  const before = new Date(clock.now() - DAY);
  return db.tx(async (tx) => {
    await tx.run(sql`insert into ledger_by_month_progress default values on conflict do nothing`);
    const progress = await tx.maybe<{ to: bigint }>(sql`
      select movements_to as to from ledger_by_month_progress for update skip locked`);
    if (!progress) return 0;
    const { added } = await tx.one<{ added: number }>(sql`
      with next as materialized (
        select id, at from movements where id > ${progress.to} order by id limit ${batch}
      ), old as materialized (
        select id, at from next where id < coalesce((select min(id) from next where at >= ${before}), ${2n ** 63n - 1n}::bigint)
      ), summed as (
        insert into ledger_by_month as kept (month, account, debits, credits)
        select date_trunc('month', old.at at time zone 'UTC')::date, side.account, sum(side.debits), sum(side.credits)
        from old join transfers on transfers.movement_id = old.id
        cross join lateral (
          values (transfers.debit, transfers.amount, 0), (transfers.credit, 0, transfers.amount)
        ) as side (account, debits, credits)
        group by 1, 2
        on conflict (month, account) do update
          set debits = kept.debits + excluded.debits, credits = kept.credits + excluded.credits
      ), moved as (
        update ledger_by_month_progress set movements_to = (select max(id) from old) where exists (select from old)
      )
      select count(*)::int as added from old`);
    return added === batch ? added : 0;
  });
}
