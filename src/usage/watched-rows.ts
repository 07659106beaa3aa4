import { MINUTE } from '../clock.ts';
import { aheadOfRealTime } from '../db/account-time.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { hearsOfEsims } from '../webhooks/webhooks.ts';

/** Longer than one batch takes. A process that dies with rows gives them back by doing nothing. */
const LEASE_MS = 5 * MINUTE;
/** Orders that a job looks through at a time for a partner who has begun to listen. */
const BACKLOG_BATCH = 500;
/** Over how long the first readings of those are spread, so that they do not all come due at once. */
const SPREAD_MS = 10 * MINUTE;

export interface Watched {
  readonly orderId: bigint;
  readonly lease: Date;
  /** False: the partner no longer wants to hear of eSIMs, or the eSIM is gone. */
  readonly isHeard: boolean;
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
    update orders set watch_due_at = ${lease} where id = any (array (
      select id from orders where supplier = ${supplier} and watch_due_at <= ${new Date(now)}
      order by watch_due_at limit ${limit} for update skip locked))
    returning id as "orderId", withdrawn_at is null and ${hearsOfEsims(sql`orders.partner_id`)} as "isHeard",
      extract(epoch from ${aheadOfRealTime(sql`orders.partner_id`)})::float8 * 1000 as "aheadMs"`);
  return rows.map((row) => ({ ...row, lease }));
}

/** When they are read next; null: no more. A row that came due meanwhile for another reason stays due. */
export async function putOff(db: Db, rows: readonly (Watched & { readonly next: Date | null })[]): Promise<void> {
  if (rows.length === 0) return;
  await db.run(sql`
    update orders set watch_due_at = read.next
    from unnest(${rows.map(({ orderId }) => orderId)}::bigint[], ${rows.map(({ lease }) => lease)}::timestamptz[],
      ${rows.map(({ next }) => next)}::timestamptz[]) as read (id, lease, next)
    where orders.id = read.id and orders.watch_due_at = read.lease and orders.id = any (array (
      select id from orders where id = any(${rows.map(({ orderId }) => orderId)}::bigint[]) order by id for update))`);
}

/**
 * Watches the next eSIMs of a partner who has begun to listen, from the newest down; returns how many orders it went through. In a
 * world that follows scripts they are due at once.
 */
export function takeUp(db: Db, now: number, isScripted: boolean): Promise<number> {
  return db.tx(async (tx) => {
    const open = await tx.maybe<{ partnerId: number; beforeId: bigint }>(sql`
      select partner_id as "partnerId", before_id as "beforeId" from watch_backlog where before_id > 0
      order by partner_id limit 1 for update skip locked`);
    if (!open) return 0;
    const orders = await tx.query<{ id: bigint }>(sql`
      select id from orders where partner_id = ${open.partnerId} and status <> 2 and id < ${open.beforeId}
      order by id desc limit ${BACKLOG_BATCH}`);
    await tx.run(sql`
      update orders set watch_due_at = ${new Date(now)}::timestamptz + random() * ${isScripted ? 0 : SPREAD_MS}::float8 * interval '1 ms'
      where id = any (array (
        select id from orders where id = any(${orders.map(({ id }) => id)}::bigint[]) and status = 1 and refill_of is null
          and withdrawn_at is null and watch_due_at is null and not is_quiet and usage_state is distinct from 'expired'
        for update skip locked))`);
    const last = orders.length < BACKLOG_BATCH ? 0n : (orders.at(-1)?.id ?? 0n);
    await tx.run(sql`update watch_backlog set before_id = ${last} where partner_id = ${open.partnerId}`);
    return Math.max(1, orders.length);
  });
}
