import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import { hint, queuedLanes } from './queue.ts';
import { expediteRecoveryAttempts } from './recovery-attempts.ts';
import { FURTHEST_DUE_MS, LEASE_MS } from './schedule.ts';

const BATCH = 500;

/**
 * Shortens the waits of a partner's deliveries. Rows due within a lease from now are left alone: one of them may be claimed, and
 * its due time is then the proof of the claim.
 */
async function expediteDeliveries(tx: Tx, partnerId: number, byMs: number, now: number): Promise<void> {
  await tx.run(sql`
    with expedited as (
      update webhook_queue set due_at = greatest(due_at - ${byMs}::float8 * interval '1 ms', ${new Date(now)})
      where delivery_id = any (array (
        select delivery_id from webhook_queue join webhook_subscriptions on webhook_subscriptions.id = subscription_id
        where partner_id = ${partnerId} and due_at > ${new Date(now + LEASE_MS)}
        order by delivery_id for update of webhook_queue
      ))
      returning delivery_id
    )
    select ${hint()} from expedited limit 1`);
}

/**
 * Makes one batch of deliveries due now that a wrong clock scheduled further ahead than any wait lasts; call it until it returns 0. Costs
 * two index lookups per subscription with waiting rows. Due times are in real time even where an account's test clock is
 * turned, so none is rightly this far ahead.
 */
export function pullInDeliveries(db: Queryable, now: number): Promise<number> {
  return db.run(sql`
    with ${queuedLanes}, pulled_in as (
      update webhook_queue set due_at = ${new Date(now)}
      where delivery_id = any (array (
        select far.delivery_id from lane cross join lateral (
          select delivery_id from webhook_queue
          where subscription_id = lane.id and due_at > ${new Date(now + FURTHEST_DUE_MS)}
          order by due_at limit ${BATCH} for update skip locked
        ) as far
        limit ${BATCH}
      ))
      returning delivery_id
    )
    select delivery_id, ${hint()} from pulled_in`);
}

/** Moves what waits for a partner's receivers closer: its deliveries, and the next tries of its disabled subscriptions. */
export async function expediteWaiting(tx: Tx, partnerId: number, byMs: number, now: number): Promise<void> {
  await expediteDeliveries(tx, partnerId, byMs, now);
  await expediteRecoveryAttempts(tx, partnerId, byMs, now);
}
