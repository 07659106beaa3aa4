import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { FIRST_RECOVERY_MS, HELD_MS, LEASE_MS } from './schedule.ts';

/*
 * Deliveries of a paused or disabled subscription are held: they keep their queue rows, but `claim` passes over subscriptions
 * that are not active. They leave this state in three ways: sent when the subscription is resumed, discarded when it is resumed
 * with `discard` or deleted, dead after seven days.
 *
 * Attempts in flight when the subscription was paused still end normally. Their rows carry a lease as due time, which must not
 * be touched (see queue.ts), so the functions below leave a row alone while it may be leased.
 */

const BATCH = 500;

/** Makes all held deliveries of a subscription due now, so that they leave in the order of their ids: the oldest first. */
export async function releaseHeld(tx: Tx, subscriptionId: bigint, now: number): Promise<void> {
  await tx.run(sql`
    update webhook_queue set due_at = ${new Date(now)}
    where delivery_id = any (array (${heldIds(subscriptionId, now)}))`);
}

/** Drops the held deliveries of a subscription instead; returns how many. */
export function discardHeld(tx: Tx, subscriptionId: bigint, now: number): Promise<number> {
  return tx.run(sql`
    with held as materialized (${heldIds(subscriptionId, now)}), unqueued as (
      delete from webhook_queue where delivery_id = any (array (select delivery_id from held))
    )
    update webhook_deliveries set status = 'dead', discarded = true, died_at = ${new Date(now)}, error = 'discarded'
    from held where webhook_deliveries.id = held.delivery_id`);
}

/** The queue rows of a held subscription that cannot be leased, locked in order; none if it is active. */
function heldIds(subscriptionId: bigint, now: number): Sql {
  return sql`
    select delivery_id from webhook_queue join webhook_subscriptions on webhook_subscriptions.id = subscription_id
    where subscription_id = ${subscriptionId} and status <> 1
      and (due_at <= ${new Date(now)} or due_at > ${new Date(now + LEASE_MS)} or held_since <= ${new Date(now - LEASE_MS)})
    order by delivery_id for update of webhook_queue`;
}

/** Gives up one batch of what was held too long and of what a deleted subscription left behind; call it until it returns 0. */
export function abandonHeld(db: Queryable, now: number): Promise<number> {
  const cutOff = new Date(now - HELD_MS);
  return db.run(sql`
    with over as materialized (
      select waiting.delivery_id, deleted_at is not null as deleted
      from webhook_subscriptions
      cross join lateral (
        select delivery_id from webhook_queue
        where subscription_id = webhook_subscriptions.id and (deleted_at is not null or due_at <= ${cutOff})
        order by due_at limit ${BATCH} for update skip locked
      ) as waiting
      where deleted_at is not null or (status <> 1 and held_since <= ${cutOff})
      limit ${BATCH}
    ), unqueued as (
      delete from webhook_queue where delivery_id = any (array (select delivery_id from over))
    )
    update webhook_deliveries
    set status = 'dead', discarded = over.deleted, died_at = ${new Date(now)},
      error = case when over.deleted then 'subscription deleted' else 'held too long' end
    from over where webhook_deliveries.id = over.delivery_id`);
}

/**
 * When a disabled subscription is tried next, in real time; null if it is not disabled or was tried for the last time. The first try
 * needs no column of its own: it follows from when the subscription was disabled, also where an earlier version disabled it.
 */
export const recoveryDueAt = (
  subscription: Sql = sql`webhook_subscriptions`,
): Sql => sql`(case when ${subscription}.status = 3 then
  coalesce(${subscription}.comeback_at, case when ${subscription}.comeback_tries = 0
    then ${subscription}.held_since + ${FIRST_RECOVERY_MS}::float8 * interval '1 ms' end) end)`;

/** The same in the account's own time, as it is shown. */
export const nextTryAt = (subscription: Sql = sql`webhook_subscriptions`): Sql =>
  sql`(${recoveryDueAt(subscription)} + ${aheadOfRealTime(sql`${subscription}.partner_id`)})`;
