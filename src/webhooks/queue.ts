import { aheadOfRealTime } from '../db/account-time.ts';
import type { Queryable } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import type { EventName } from './events.ts';
import type { Room } from './lanes.ts';
import { nextTryAt } from './next-try.ts';
import { ATTEMPT_MS, FAILURES_TO_DISABLE, LEASE_MS } from './schedule.ts';
import type { Signed } from './signature.ts';

/*
 * The delivery queue: the three statements that look for due rows, claim them and record what came of them. `deliver.ts`
 * decides when each runs, `lanes.ts` how much is claimed.
 *
 * Three tables. `webhook_deliveries` is the log the partner reads: a row for every event and subscription, with the body, kept
 * after it was sent (bodies for 30 days, rows for `DELIVERY_RETENTION_DAYS`). `webhook_attempts` adds a row for every attempt
 * whose outcome was recorded, written with that outcome and never read here. `webhook_queue` holds only what is still to be sent,
 * in five narrow columns, so that its index stays small and hot however long the log grows. A delivery is `pending` or `failed` exactly as long as it has a queue row:
 *
 *   written by enqueue.ts    pending, queue row due at once
 *   claimed                  unchanged in the log; in the queue `attempts` + 1 and `due_at` = end of the lease
 *   recorded: success        sent, queue row deleted
 *   recorded: failure        failed, `due_at` = the next attempt
 *   recorded: last failure   dead, queue row deleted (resend.ts can put it back)
 *
 * There is no "in progress" state. A claim moves `due_at` to the end of the lease (`LEASE_MS`), which hides the row from other
 * claims; if this process dies, the row falls due again by itself. The lease is also the proof of ownership: `record` changes a
 * row only where `due_at` is still the lease of that claim. If another process claimed the row meanwhile, or the outcome was
 * recorded before, the condition does not hold and nothing changes, so `record` can be repeated until it succeeds.
 *
 * The attempt is counted by the claim, not by its outcome: a delivery that kills the process each time would otherwise be
 * retried forever. The cost is an attempt lost to a crash. If it was the last one, the row comes back with `attempts` above
 * `max_attempts`, and attempt.ts declares it dead without sending.
 *
 * What keeps it fast with a million waiting rows: the index (subscription_id, due_at, delivery_id) is one sorted list per
 * subscription. `dueLanes` jumps from subscription to subscription instead of reading the rows between, `claim` reads only as
 * many rows as it has room for, and the `cross join lateral (… limit 1)` forms force a lookup by index per row where the planner
 * might otherwise hash a whole table. test/webhooks/plans.test.ts holds the plans.
 *
 * Order of locks. A transaction that needs several of these takes them in this order and, within a table, in ascending order of
 * id; two transactions can then wait for each other but never in a circle:
 *
 *   1. wallets                 purchase, refund, reset of an account
 *   2. orders                  provisioning, reset of an account
 *   3. webhook_queue           record, reset of an account, turning its clock
 *   4. webhook_deliveries      the holder of its queue row; sent and dead ones have none (prune, retention, requeue, reset)
 *   5. webhook_subscriptions   record; publish under a waiting limit; pause, resume, rotate
 *
 * Jobs that can leave a row for the next round (`claim`, `abandonHeld`, `pullInDeliveries`, `pruneBodies`, `removeBatch`,
 * `claimComebacks`) use `skip locked` and never wait for the rows they choose. test/webhooks/lock-order.test.ts drives resets against recordings.
 */

/** What is sent, where to, and what signs it. */
export interface Sendable {
  readonly deliveryId: bigint;
  readonly eventId: string;
  readonly event: EventName;
  readonly body: Buffer;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** A delivery that belongs to this process until its lease ends. */
export interface Claimed extends Sendable {
  readonly subscriptionId: bigint;
  /** Including the one this claim is for. */
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lease: Date;
  /** When the event happened, in the account's own time. */
  readonly createdAt: Date;
}

/** What was sent and what came back. */
export interface Exchange {
  readonly succeeded: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The signature headers as they were sent; undefined if no request was. */
  readonly signed: Signed | undefined;
  readonly httpStatus: number | undefined;
  readonly durationMs: number;
  readonly responseHeaders: string;
  readonly responseBody: string;
  readonly error: string;
}

/** The result of one attempt at a claimed delivery. */
export interface AttemptOutcome extends Exchange {
  readonly claimed: Claimed;
  /** When to try again; undefined if it is over: sent or dead. */
  readonly dueAt: Date | undefined;
}

/** A subscription that was just disabled. */
export interface Disabled {
  readonly subscriptionId: bigint;
  readonly partnerId: number;
  /** In the account's own time. */
  readonly nextTryAt: Date;
}

/** How much of a reply the log keeps. The attempt keeps more. */
export const LOGGED_CHARACTERS = 1000;

/** Active subscriptions that have due rows. Costs one index lookup per subscription, however many rows each has. */
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

/** Claims up to `room` due rows of each lane: counts the attempt and hides the row until the lease ends. */
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
 * Records a batch of outcomes in one statement, all or nothing, and returns the subscriptions it disabled. The array is in the
 * order the attempts ended, which decides what counts as consecutive failures. Its parts:
 *
 *   outcome       the batch as rows; `n` is the order in which the attempts ended
 *   mine          those whose lease is still ours, their queue rows locked in the order of delivery ids
 *   done, again   the queue: finished rows go, failed ones get their next due time
 *   logged        the log
 *   attempted     the attempt itself. Its number is new; if it ever were not, that must not keep the outcome from being recorded
 *   subscription  the subscriptions whose count changes, locked in the order of their ids; none while all is well
 *   ended         their attempts, numbered in the order they ended
 *   counting      goes through these, one after the other. A success sets the count to 0. A failure adds one up to the limit, unless it
 *                 overlaps the last one that counted: attempts that run at the same time are not consecutive
 *   counted       where that led, and whether the limit was reached on the way, even if a success followed
 *   changed       the new failure count, and the subscription disabled if it was
 *   told          what `tell` makes of those, given a select of `changed`
 */
export async function record(
  db: Queryable,
  outcomes: readonly AttemptOutcome[],
  now: number,
  noticesOf?: (disabled: Sql) => Sql,
): Promise<Disabled[]> {
  const ahead = aheadOfRealTime(sql`webhook_deliveries.partner_id`);
  // An attempt takes ATTEMPT_MS at most, so one that ended longer before `until` than that was over before the other began.
  const beside = sql`started_at < until and ended_at > until - ${ATTEMPT_MS}::float8 * interval '1 ms'`;
  return db.query(sql`
    with recursive outcome as materialized (
      select * from unnest(
        ${outcomes.map(({ claimed }) => claimed.deliveryId)}::bigint[],
        ${outcomes.map(({ claimed }) => claimed.lease)}::timestamptz[],
        ${outcomes.map(({ claimed }) => Math.min(claimed.attempts, claimed.maxAttempts))}::int[],
        ${outcomes.map(({ succeeded }) => succeeded)}::boolean[],
        ${outcomes.map(({ dueAt }) => dueAt ?? null)}::timestamptz[],
        ${outcomes.map(({ startedAt }) => startedAt)}::timestamptz[],
        ${outcomes.map(({ endedAt }) => endedAt)}::timestamptz[],
        ${outcomes.map(({ signed }) => signed?.timestamp ?? null)}::text[],
        ${outcomes.map(({ signed }) => signed?.signature ?? null)}::text[],
        ${outcomes.map(({ signed }) => signed?.standardSignature ?? null)}::text[],
        ${outcomes.map(({ httpStatus }) => httpStatus ?? null)}::int[],
        ${outcomes.map(({ durationMs }) => durationMs)}::int[],
        ${outcomes.map(({ responseHeaders }) => responseHeaders)}::text[],
        ${outcomes.map(({ responseBody }) => responseBody)}::text[],
        ${outcomes.map(({ error }) => error)}::text[]
      ) with ordinality
        as outcome (delivery_id, lease, attempts, succeeded, due_at, started_at, ended_at, sent_timestamp, signature, standard_signature,
          http_code, duration_ms, response_headers, response_body, error, n)
    ), mine as materialized (
      select outcome.*, webhook_queue.subscription_id
      from outcome join webhook_queue
        on webhook_queue.delivery_id = outcome.delivery_id and webhook_queue.due_at = outcome.lease
      order by outcome.delivery_id for update of webhook_queue
    ), done as (
      delete from webhook_queue using mine
      where webhook_queue.delivery_id = mine.delivery_id and mine.due_at is null
    ), again as (
      update webhook_queue set due_at = mine.due_at from mine
      where webhook_queue.delivery_id = mine.delivery_id and mine.due_at is not null
    ), logged as (
      update webhook_deliveries
      set status = case when mine.succeeded then 'sent' when mine.due_at is null then 'dead' else 'failed' end,
        attempts = mine.attempts, http_code = mine.http_code, duration_ms = mine.duration_ms,
        response_body = left(mine.response_body, ${LOGGED_CHARACTERS}), error = mine.error,
        died_at = case when not mine.succeeded and mine.due_at is null then ${new Date(now)}::timestamptz end,
        sent_at = case when mine.succeeded then ${new Date(now)}::timestamptz + ${ahead} else webhook_deliveries.sent_at end
      from mine where webhook_deliveries.id = mine.delivery_id
      returning mine.delivery_id, mine.attempts + comeback_tries, mine.started_at + ${ahead} as started_at, mine.duration_ms, mine.http_code,
        mine.error, mine.sent_timestamp, mine.signature, mine.standard_signature, mine.response_headers, mine.response_body
    ), attempted as (
      insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_code, error, sent_timestamp, signature,
        standard_signature, response_headers, response_body)
      select * from logged on conflict do nothing
    ), subscription as materialized (
      select id, status, fail_count, failed_until from webhook_subscriptions
      join (select subscription_id, bool_or(not succeeded) as any_failed from mine group by 1) as batch on subscription_id = id
      where fail_count > 0 or any_failed
      order by id for no key update of webhook_subscriptions
    ), ended as materialized (
      select subscription_id, succeeded, started_at, ended_at, row_number() over (partition by subscription_id order by n) as turn
      from mine where subscription_id = any (array (select id from subscription))
    ), counting as (
      select id, 0::bigint as turn, fail_count as failures, failed_until as until, false as reached from subscription
      union all
      select id, ended.turn,
        case when succeeded then 0 when is_beside then failures else least(failures + 1, ${FAILURES_TO_DISABLE}) end,
        case when succeeded then null when is_beside then until else ended_at end,
        reached or (not succeeded and not is_beside and failures + 1 >= ${FAILURES_TO_DISABLE})
      from counting join ended on subscription_id = id and ended.turn = counting.turn + 1
      cross join lateral (select coalesce(${beside}, false) as is_beside) as compared
    ), counted as (
      select distinct on (id) id, failures, until, reached and status = 1 as broke
      from counting join subscription using (id) order by id, turn desc
    ), changed as (
      update webhook_subscriptions
      set fail_count = failures, failed_until = until, status = case when broke then 3 else status end,
        held_since = case when broke then ${new Date(now)} else held_since end,
        updated_at = case when broke then ${new Date(now)} else updated_at end,
        comeback_at = case when not broke then comeback_at end, comeback_tries = case when broke then 0 else comeback_tries end
      from counted where counted.id = webhook_subscriptions.id
      returning counted.id, broke, webhook_subscriptions.partner_id, url, ${nextTryAt()} as next_try_at
    )${noticesOf ? sql`, noticed as (${noticesOf(sql`select id, partner_id, url, next_try_at from changed where broke`)})` : nothing}
    select id as "subscriptionId", partner_id as "partnerId", next_try_at as "nextTryAt" from changed where broke`);
}
