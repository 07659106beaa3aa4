import { MINUTE } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { esimWatch } from '../../messages/webhooks/webhooks.ts';
import { usageMarks } from '../orders/orders.ts';

/** Longer than one batch takes. If a process dies, its rows fall due again when the lease expires. */
const LEASE_MS = 5 * MINUTE;
/** Orders that a job looks through at a time for a partner whose subscriptions have begun to name eSIM events. */
const BACKLOG_BATCH = 500;

export interface Watched {
  readonly orderId: bigint;
  readonly lease: Date;
  /** False: no subscription names eSIM events any more, or the eSIM is gone. */
  readonly isSubscribed: boolean;
  /** How far the account's clock is ahead. */
  readonly aheadMs: number;
}

/** Suppliers with a reading that is due. The index is one sorted list per supplier, and this jumps from one to the next. */
export async function dueSuppliers(db: Db, now: Date): Promise<string[]> {
  const rows = await db.query<{ supplier: string }>(sql`
    with recursive lane as (
      (select supplier, watch_due_at from orders where watch_due_at is not null order by supplier, watch_due_at limit 1)
      union all
      select next.supplier, next.watch_due_at from lane cross join lateral (
        select supplier, watch_due_at from orders where watch_due_at is not null and supplier > lane.supplier
        order by supplier, watch_due_at limit 1
      ) as next
    )
    select supplier from lane where watch_due_at <= ${now}`);
  return rows.map(({ supplier }) => supplier);
}

/** Claims due readings of one supplier by moving their due time to the end of the lease. */
export async function claimDue(db: Db, supplier: string, limit: number, now: number): Promise<Watched[]> {
  const lease = new Date(now + LEASE_MS);
  const rows = await db.query<Omit<Watched, 'lease'>>(sql`
    ${usageMarks.claim(supplier, new Date(now), lease, limit)}
    returning id as "orderId", withdrawn_at is null and ${esimWatch.isWanted(sql`orders.partner_id`)} as "isSubscribed",
      extract(epoch from ${aheadOfRealTime(sql`orders.partner_id`)})::float8 * 1000 as "aheadMs"`);
  return rows.map((row) => ({ ...row, lease }));
}

/** Starts to watch a batch of earlier eSIMs of such a partner, newest first; returns how many orders it went through. */
export function takeUp(db: Db, now: number, spreadMs: number): Promise<number> {
  return db.tx(async (tx) => {
    const open = await esimWatch.nextBacklog(tx);
    if (!open) return 0;
    const orders = await tx.query<{ id: bigint }>(sql`
      select id from orders where partner_id = ${open.partnerId} and status <> 2 and id < ${open.beforeId}
      order by id desc limit ${BACKLOG_BATCH}`);
    await usageMarks.begin(
      tx,
      orders.map(({ id }) => id),
      new Date(now),
      spreadMs,
    );
    const last = orders.length < BACKLOG_BATCH ? 0n : (orders.at(-1)?.id ?? 0n);
    await esimWatch.setBacklog(tx, open.partnerId, last);
    return Math.max(1, orders.length);
  });
}
