import { aheadOfRealTime } from '../db/account-time.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { EventName } from './events.ts';
import type { Room } from './lanes.ts';
import { FAILURES_TO_DISABLE, LEASE_MS } from './schedule.ts';

/** A delivery this process holds until its lease ends. */
export interface Claimed {
  readonly deliveryId: bigint;
  readonly subscriptionId: bigint;
  /** This attempt included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lease: Date;
  readonly eventId: string;
  readonly event: EventName;
  /** When the event happened, in the account's own time. */
  readonly createdAt: Date;
  readonly body: Buffer;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** What came of a claimed delivery. */
export interface Outcome {
  readonly claimed: Claimed;
  readonly succeeded: boolean;
  /** When it is due again; undefined: it is over, sent or dead. */
  readonly dueAt: Date | undefined;
  readonly httpStatus: number | undefined;
  readonly durationMs: number;
  readonly responseBody: string;
  readonly error: string;
}

/** Active subscriptions with rows due: hops from lane to lane, so rows that wait their turn cost nothing. */
export async function dueLanes(db: Queryable, now: number): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    with recursive lane as (
      (select subscription_id as id from webhook_queue order by subscription_id limit 1)
      union all
      select next.id from lane cross join lateral (
        select subscription_id as id from webhook_queue where subscription_id > lane.id order by subscription_id limit 1
      ) as next
    )
    select lane.id from lane cross join lateral (
      select 1 from webhook_subscriptions
      where webhook_subscriptions.id = lane.id and status = 1 and deleted_at is null limit 1
    ) as active
    where exists (select from webhook_queue where subscription_id = lane.id and due_at <= ${new Date(now)})`);
  return rows.map((row) => row.id);
}

/**
 * Takes up to each lane's room of due rows: counts the attempt and moves the row to the end of the lease, so nobody else
 * takes it meanwhile and somebody does when this process dies. The lateral joins keep every step an index lookup per row.
 */
export async function claim(db: Queryable, rooms: readonly Room[], now: number): Promise<Claimed[]> {
  const at = new Date(now);
  const lease = new Date(now + LEASE_MS);
  const rows = await db.query<Omit<Claimed, 'lease'>>(sql`
    with claimed as (
      update webhook_queue set due_at = ${lease}, attempts = attempts + 1
      where delivery_id = any (array (
        select due.delivery_id
        from unnest(${rooms.map(({ subscriptionId }) => subscriptionId)}::bigint[], ${rooms.map(({ room }) => room)}::int[])
          as lane (subscription_id, room)
        cross join lateral (
          select 1 from webhook_subscriptions
          where id = lane.subscription_id and status = 1 and deleted_at is null limit 1
        ) as active
        cross join lateral (
          select delivery_id from webhook_queue
          where subscription_id = lane.subscription_id and due_at <= ${at}
          order by due_at, delivery_id limit lane.room for update skip locked
        ) as due
      ))
      returning delivery_id, subscription_id, attempts, max_attempts
    )
    select delivery_id as "deliveryId", subscription_id as "subscriptionId", attempts, max_attempts as "maxAttempts",
      delivery.event_id as "eventId", delivery.event_type as event, delivery.created_at as "createdAt", delivery.body,
      subscription.url, subscription.secret, subscription.previous_secret as "previousSecret"
    from claimed
    cross join lateral (
      select event_id, event_type, created_at, body from webhook_deliveries where id = claimed.delivery_id limit 1
    ) as delivery
    cross join lateral (
      select url, secret, case when previous_secret_until > ${at} then previous_secret end as previous_secret
      from webhook_subscriptions where id = claimed.subscription_id limit 1
    ) as subscription
    order by delivery_id`);
  return rows.map((row) => ({ ...row, lease }));
}

/**
 * Records a batch of outcomes, in the order their attempts ended: queue, log and the failures in a row, all or nothing. An
 * outcome whose lease somebody else took over, or that was recorded before, changes nothing; so recording may be repeated
 * until it is known to have worked.
 */
export async function record(db: Queryable, outcomes: readonly Outcome[], now: number): Promise<void> {
  await db.run(sql`
    with outcome as materialized (
      select * from unnest(
        ${outcomes.map(({ claimed }) => claimed.deliveryId)}::bigint[],
        ${outcomes.map(({ claimed }) => claimed.lease)}::timestamptz[],
        ${outcomes.map(({ claimed }) => Math.min(claimed.attempts, claimed.maxAttempts))}::int[],
        ${outcomes.map(({ succeeded }) => succeeded)}::boolean[],
        ${outcomes.map(({ dueAt }) => dueAt ?? null)}::timestamptz[],
        ${outcomes.map(({ httpStatus }) => httpStatus ?? null)}::int[],
        ${outcomes.map(({ durationMs }) => durationMs)}::int[],
        ${outcomes.map(({ responseBody }) => responseBody)}::text[],
        ${outcomes.map(({ error }) => error)}::text[]
      ) with ordinality
        as outcome (delivery_id, lease, attempts, succeeded, due_at, http_code, duration_ms, response_body, error, n)
    ), done as (
      delete from webhook_queue using outcome
      where webhook_queue.delivery_id = outcome.delivery_id and webhook_queue.due_at = outcome.lease and outcome.due_at is null
      returning webhook_queue.delivery_id, webhook_queue.subscription_id
    ), again as (
      update webhook_queue set due_at = outcome.due_at from outcome
      where webhook_queue.delivery_id = outcome.delivery_id and webhook_queue.due_at = outcome.lease
        and outcome.due_at is not null
      returning webhook_queue.delivery_id, webhook_queue.subscription_id
    ), held as (
      select outcome.*, mine.subscription_id
      from (select delivery_id, subscription_id from done union all select delivery_id, subscription_id from again) as mine
      join outcome using (delivery_id)
    ), logged as (
      update webhook_deliveries
      set status = case when held.succeeded then 'sent' when held.due_at is null then 'dead' else 'failed' end,
        attempts = held.attempts, http_code = held.http_code, duration_ms = held.duration_ms,
        response_body = held.response_body, error = held.error,
        died_at = case when not held.succeeded and held.due_at is null then ${new Date(now)}::timestamptz end,
        sent_at = case when held.succeeded then ${new Date(now)}::timestamptz + ${aheadOfRealTime(sql`webhook_deliveries.partner_id`)} end
      from held where webhook_deliveries.id = held.delivery_id
    ), streak as (
      -- In the order the attempts ended. Streak 0 goes on from the count so far; each other begins with a success.
      select subscription_id, streak, count(*) filter (where not succeeded) as failures
      from (
        select subscription_id, succeeded,
          count(*) filter (where succeeded) over (partition by subscription_id order by n) as streak
        from held
      ) as ended
      group by subscription_id, streak
    ), tally as (
      select subscription_id, max(streak) > 0 as any_success,
        coalesce(max(failures) filter (where streak = 0), 0) as failures_before,
        coalesce(max(failures) filter (where streak > 0), 0) as longest,
        (array_agg(failures order by streak desc))[1] as failures_after
      from streak group by subscription_id
    ), subscription as materialized (
      -- Locked in one order everywhere, so that two processes never wait for each other in a circle.
      select id, status, fail_count from webhook_subscriptions join tally on tally.subscription_id = id
      where fail_count > 0 or failures_before + failures_after > 0 or longest >= ${FAILURES_TO_DISABLE}
      order by id for no key update of webhook_subscriptions
    ), counted as (
      select id, any_success, failures_before, failures_after,
        status = 1 and greatest(longest, fail_count + failures_before) >= ${FAILURES_TO_DISABLE} as broke
      from subscription join tally on tally.subscription_id = id
    )
    update webhook_subscriptions
    set fail_count = case when any_success then failures_after else fail_count + failures_before end,
      status = case when broke then 3 else status end,
      held_since = case when broke then ${new Date(now)} else held_since end,
      updated_at = case when broke then ${new Date(now)} else updated_at end
    from counted where counted.id = webhook_subscriptions.id`);
}
