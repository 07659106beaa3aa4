import type { Queryable } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { EventName } from '../../events/events.ts';
import { webhookHeaders } from '../send/signature.ts';

/** One attempt at a delivery, without what was sent and received. */
interface LoggedAttempt {
  readonly deliveryId: bigint;
  /** Counted from 1. A number is missing where the server was stopped before it could record the outcome. */
  readonly attempt: number;
  /** In the account's own time. */
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  /** What went wrong; empty when a complete reply arrived, whatever its status. */
  readonly error: string;
}

export interface AttemptDetail extends LoggedAttempt {
  /** Null: no request was sent. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  /** One to a line, 2,000 characters at most. */
  readonly responseHeaders: string;
  /** The first 4,000 characters. */
  readonly responseBody: string;
}

interface OrderAttempt extends LoggedAttempt {
  readonly subscriptionId: bigint;
  readonly event: EventName;
  readonly eventId: string;
}

/** An order has some ten events for five subscriptions at most; requeueing adds to that. */
const MOST_OF_ORDER = 1_000;
/** The latest of a delivery that was requeued again and again. */
const MOST_OF_DELIVERY = 100;

const columns: Sql = sql`
  tried.delivery_id as "deliveryId", tried.attempt, tried.started_at as "startedAt", tried.duration_ms as "durationMs",
  tried.http_code as "httpStatus", tried.error`;

interface DetailRow extends Omit<AttemptDetail, 'requestHeaders'> {
  readonly event: EventName;
  readonly eventId: string;
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly standardSignature: string | null;
}

/** The attempts at a delivery of the partner, the latest first. */
export async function attemptsOfDelivery(
  db: Queryable,
  partnerId: number,
  deliveryId: bigint,
): Promise<AttemptDetail[]> {
  const rows = await db.query<DetailRow>(sql`
    select ${columns}, event_type as event, event_id as "eventId", tried.sent_timestamp as timestamp, tried.signature,
      tried.standard_signature as "standardSignature", tried.response_headers as "responseHeaders",
      tried.response_body as "responseBody"
    from webhook_deliveries as delivery cross join lateral (
      select * from webhook_attempts where delivery_id = delivery.id order by attempt desc limit ${MOST_OF_DELIVERY}
    ) as tried
    where delivery.id = ${deliveryId} and partner_id = ${partnerId}
    order by tried.attempt desc`);
  return rows.map(({ event, eventId, timestamp, signature, standardSignature, ...attempt }) => ({
    ...attempt,
    requestHeaders:
      timestamp === null || signature === null || standardSignature === null
        ? null
        : webhookHeaders(attempt.deliveryId, event, eventId, { timestamp, signature, standardSignature }),
  }));
}

/** Every attempt at the events of an order of the partner, the earliest first. */
export function attemptsOfOrder(db: Queryable, partnerId: number, orderId: bigint): Promise<OrderAttempt[]> {
  return db.query(sql`
    select ${columns}, subscription_id as "subscriptionId", event_type as event, event_id as "eventId"
    from webhook_deliveries as delivery cross join lateral (
      select * from webhook_attempts where delivery_id = delivery.id order by attempt limit ${MOST_OF_DELIVERY}
    ) as tried
    where order_id = ${orderId} and order_id > 0 and partner_id = ${partnerId}
    order by tried.started_at, tried.delivery_id, tried.attempt limit ${MOST_OF_ORDER}`);
}

export interface Due {
  /** In the account's own time; in the past if it waits for its turn, or for its subscription. */
  readonly at: Date;
  /** An attempt is being made now, or its process just died. */
  readonly isUnderWay: boolean;
}

/** When the waiting ones among these deliveries of a partner are tried next. */
export async function dueOf(db: Queryable, partnerId: number, ids: readonly bigint[]): Promise<Map<bigint, Due>> {
  const rows = await db.query<Due & { id: bigint }>(sql`
    select delivery.id, due.at + ${aheadOfRealTime(sql`delivery.partner_id`)} as at, due.attempts > delivery.attempts as "isUnderWay"
    from unnest(${ids}::bigint[]) as wanted (id)
    cross join lateral (select id, partner_id, attempts from webhook_deliveries where id = wanted.id limit 1) as delivery
    cross join lateral (select due_at as at, attempts from webhook_queue where delivery_id = wanted.id limit 1) as due
    where delivery.partner_id = ${partnerId}`);
  return new Map(rows.map(({ id, ...due }) => [id, due]));
}

interface SlowReceiver {
  readonly subscriptionId: bigint;
  readonly url: string;
  readonly partnerId: number;
  readonly partner: string;
  readonly attempts: number;
  readonly failed: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** How many attempts are read, of the newest deliveries first. There is no index by time, but ids grow with time. */
export const ATTEMPTS_READ = 20_000;
/** One in twenty attempts takes this long or longer. */
export const SLOW_MS = 1_000;
/** Fewer attempts say little. */
const FEWEST_ATTEMPTS = 3;
const MOST_LISTED = 50;

/** Subscriptions whose 95th percentile is slow since a time (the account's own), among the latest `ATTEMPTS_READ` attempts; the slowest first. */
export function slowReceivers(db: Queryable, since: Date): Promise<SlowReceiver[]> {
  return db.query(sql`
    with latest as materialized (
      select delivery_id, duration_ms, http_code, error, started_at from webhook_attempts
      order by delivery_id desc, attempt desc limit ${ATTEMPTS_READ}
    ), slow as materialized (
      select subscription_id as id, count(*)::int as attempts,
        (count(*) filter (where error <> '' or http_code is null or http_code not between 200 and 299))::int as failed,
        percentile_disc(0.5) within group (order by duration_ms) as median,
        percentile_disc(0.95) within group (order by duration_ms) as p95, max(duration_ms) as longest
      from latest cross join lateral (
        select subscription_id from webhook_deliveries where id = latest.delivery_id limit 1
      ) as delivery
      where started_at >= ${since}
      group by 1
      having count(*) >= ${FEWEST_ATTEMPTS} and percentile_disc(0.95) within group (order by duration_ms) >= ${SLOW_MS}
      order by p95 desc, id limit ${MOST_LISTED}
    )
    select slow.id as "subscriptionId", url, partner_id as "partnerId", partner.name as partner, attempts, failed,
      median as "medianMs", p95 as "p95Ms", longest as "maxMs"
    from slow
    cross join lateral (select url, partner_id, deleted_at from webhook_subscriptions where id = slow.id limit 1) as subscription
    cross join lateral (select name from shared.partners where id = subscription.partner_id limit 1) as partner
    where subscription.deleted_at is null
    order by p95 desc, slow.id`);
}
