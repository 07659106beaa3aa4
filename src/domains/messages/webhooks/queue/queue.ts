import type { Queryable } from '../../../../platform/db/database.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { EventName } from '../../events/events.ts';
import type { PostResult } from '../send/send.ts';
import type { Signed } from '../send/signature.ts';
import type { Room } from './lanes.ts';
import { LEASE_MS } from './schedule.ts';

/*
 * The delivery queue: the statements that look for due rows and claim them. `record.ts` records their outcomes, `deliver.ts`
 * decides when each runs, `lanes.ts` how much is claimed.
 *
 * Three tables. `webhook_deliveries` is the log the partner reads: a row for every event and subscription, with the body, kept
 * after it was sent (bodies for 30 days, rows for `DELIVERY_RETENTION_DAYS`). `webhook_attempts` adds a row for every attempt
 * whose outcome was recorded, written with that outcome and never read here. `webhook_queue` holds only what is still to be sent,
 * in five narrow columns, so that its index stays small and hot however long the log grows. A delivery is `pending` or `failed`
 * exactly as long as it has a queue row:
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
 * might otherwise hash a whole table. test/domains/messages/webhooks/plans.test.ts holds the plans.
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
 * `claimRecoveryAttempts`) use `skip locked` and never wait for the rows they choose. test/domains/messages/webhooks/lock-order.test.ts drives resets
 * against recordings.
 */

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
  /** The request that caused it, for traces. */
  readonly cause: string | null;
}

export interface Exchange
  extends Pick<PostResult, 'httpStatus' | 'durationMs' | 'responseHeaders' | 'responseBody' | 'error'> {
  readonly succeeded: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The signature headers as they were sent; undefined if no request was. */
  readonly signed: Signed | undefined;
}

export interface AttemptOutcome extends Exchange {
  readonly claimed: Claimed;
  /** When to try again; undefined if it is over: sent or dead. */
  readonly dueAt: Date | undefined;
}

/** The subscriptions that have rows, found by jumping from one to the next: `with ${queuedLanes} …`. */
export const queuedLanes = sql`recursive lane as (
      (select subscription_id as id from webhook_queue order by subscription_id limit 1)
      union all
      select next.id from lane cross join lateral (
        select subscription_id as id from webhook_queue where subscription_id > lane.id order by subscription_id limit 1
      ) as next
    )`;

/** Active subscriptions that have due rows. Costs one index lookup per subscription, however many rows each has. */
export async function dueLanes(db: Queryable, now: number): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    with ${queuedLanes}
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
      delivery.traceparent as cause,
      subscription.url, subscription.secret, subscription.previous_secret as "previousSecret"
    from claimed
    cross join lateral (
      select event_id, event_type, created_at, body, traceparent from webhook_deliveries where id = claimed.delivery_id limit 1
    ) as delivery
    cross join lateral (
      select url, secret, case when previous_secret_until > ${at} then previous_secret end as previous_secret
      from webhook_subscriptions where id = claimed.subscription_id limit 1
    ) as subscription
    order by delivery_id`);
  return rows.map((row) => ({ ...row, lease }));
}

/** Notifies the processes that deliver which subscriptions have something due. Only a hint: they also poll, so one may get lost. */
export const HINT_CHANNEL = 'wayfare_deliveries';

/** A notification holds 8000 bytes, so a hint about more subscriptions than this names none of them. */
const MAX_NAMED = 300;

/** The hint as an SQL expression; without ids it says only that something is due. */
export const hint = (subscriptionIds: readonly bigint[] = []): Sql =>
  sql`pg_notify(${HINT_CHANNEL}, current_schema() || ':' || ${subscriptionIds.join(',')}::text)`;

/** Sends the hint about the queued rows in `from`; nothing if there are none. */
export const hintAbout = (from: Sql): Sql => sql`
  select pg_notify(${HINT_CHANNEL}, current_schema() || ':' ||
    case when count(distinct subscription_id) <= ${MAX_NAMED} then string_agg(distinct subscription_id::text, ',') else '' end)
  from ${from} having count(*) > 0`;

export function readHint(payload: string): { schema: string; subscriptionIds: bigint[] | undefined } {
  const [schema = '', named = ''] = payload.split(':');
  return { schema, subscriptionIds: named === '' ? undefined : named.split(',').map(BigInt) };
}
