import { type Clock, DAY, MINUTE } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';

export const SUPPLIER_CALLS_KEPT_MS = 30 * DAY;

const BATCH = 5_000;

/**
 * Removes one batch of calls that are too old. They are written in the order of time, so those are the first by id. Whole months go with
 * their partition (platform/jobs/partitions.ts).
 */
export function pruneSupplierCalls(db: Queryable, now: number): Promise<number> {
  return db.run(sql`
    delete from supplier_calls
    where id = any (array (select id from supplier_calls order by id limit ${BATCH}))
      and at < ${new Date(now - SUPPLIER_CALLS_KEPT_MS)}`);
}

export const pruneSupplierCallsJob = ({ schema, db }: { schema: string; db: Db }, clock: Clock): Job => ({
  name: `prune supplier calls ${schema}`,
  everyMs: MINUTE,
  run: () => pruneSupplierCalls(db, clock.now()),
});

/** Calls for orders of a partner, before those are deleted. */
export async function forgetSupplierCalls(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from supplier_calls using orders where supplier_calls.order_id = orders.id and partner_id = ${partnerId}`);
}
