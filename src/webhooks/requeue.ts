import type { Queryable, Tx } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import type { DeliveryStatus } from './delivery-status.ts';
import { hint } from './hint.ts';
import { FURTHEST_DUE_MS, LEASE_MS, MAX_ATTEMPTS } from './schedule.ts';

/** Rows moved in one statement. */
const BATCH = 500;

/** Gives one dead delivery five more attempts, the first at once. */
export async function requeueDelivery(tx: Tx, id: bigint, now: number): Promise<void> {
  const found = await requireDelivery(tx, id);
  if (found.status !== 'dead') throw new Refused('delivery_not_dead', `the delivery is ${found.status}`);
  if (found.pruned) throw new Refused('payload_pruned');
  await revive(tx, sql`select ${id}::bigint`, now);
}

/** What keeps a delivery from being sent again. */
export async function requireDelivery(tx: Tx, id: bigint, ofPartner?: number): Promise<FoundDelivery> {
  const found = await tx.maybe<FoundDelivery & { deleted: boolean; closed: boolean }>(sql`
    select delivery.status, body is null as pruned,
      webhook_subscriptions.partner_id as "partnerId", webhook_subscriptions.deleted_at is not null as deleted,
      partners.deleted_at is not null as closed
    from webhook_deliveries as delivery join webhook_subscriptions on webhook_subscriptions.id = subscription_id
    join shared.partners on partners.id = webhook_subscriptions.partner_id
    where delivery.id = ${id} ${ofPartner === undefined ? nothing : sql`and webhook_subscriptions.partner_id = ${ofPartner}`}
    for update of delivery`);
  if (!found) throw new Refused('delivery_not_found');
  if (found.closed) throw new Refused('partner_closed');
  if (found.deleted) throw new Refused('subscription_not_found');
  return found;
}

interface FoundDelivery {
  readonly status: DeliveryStatus;
  /** Its body is no longer stored. */
  readonly pruned: boolean;
  readonly partnerId: number;
}

/** Requeues one batch of a subscription's dead letters created since a time; call it until it returns 0. */
export function requeueDead(db: Queryable, subscriptionId: bigint, since: Date, now: number): Promise<number> {
  return revive(
    db,
    sql`select id from webhook_deliveries
      where subscription_id = ${subscriptionId} and status = 'dead' and not discarded and created_at >= ${since}
        and body is not null
      order by id limit ${BATCH} for update skip locked`,
    now,
  );
}

/** Puts sent or dead deliveries back into the queue. */
export function revive(db: Queryable, ids: Sql, now: number): Promise<number> {
  return db.run(sql`
    with revived as (
      update webhook_deliveries
      set status = case when attempts = 0 or status = 'sent' then 'pending' else 'failed' end,
        max_attempts = attempts + ${MAX_ATTEMPTS}::int, died_at = null, discarded = false, requeued_at = now()
      where id = any (array (${ids}))
      returning id, subscription_id, attempts, max_attempts
    ), queued as (
      insert into webhook_queue (delivery_id, subscription_id, due_at, attempts, max_attempts)
      select id, subscription_id, ${new Date(now)}, attempts, max_attempts from revived
    )
    select id, ${hint()} from revived`);
}

/**
 * Shortens the waits of a partner's deliveries. Rows due within a lease from now are left alone: one of them may be claimed, and
 * its due time is then the proof of the claim.
 */
export async function hastenDeliveries(tx: Tx, partnerId: number, byMs: number, now: number): Promise<void> {
  await tx.run(sql`
    with hastened as (
      update webhook_queue set due_at = greatest(due_at - ${byMs}::float8 * interval '1 ms', ${new Date(now)})
      where delivery_id = any (array (
        select delivery_id from webhook_queue join webhook_subscriptions on webhook_subscriptions.id = subscription_id
        where partner_id = ${partnerId} and due_at > ${new Date(now + LEASE_MS)}
        order by delivery_id for update of webhook_queue
      ))
      returning delivery_id
    )
    select ${hint()} from hastened limit 1`);
}

/**
 * Makes one batch of deliveries due now that a wrong clock put off further than any wait lasts; call it until it returns 0. Costs
 * two index lookups per subscription with waiting rows. Due times are in real time even where an account's test clock is
 * turned, so none is rightly this far ahead.
 */
export function pullInDeliveries(db: Queryable, now: number): Promise<number> {
  return db.run(sql`
    with recursive lane as (
      (select subscription_id as id from webhook_queue order by subscription_id limit 1)
      union all
      select next.id from lane cross join lateral (
        select subscription_id as id from webhook_queue where subscription_id > lane.id order by subscription_id limit 1
      ) as next
    ), pulled_in as (
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
