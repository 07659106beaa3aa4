import type { Queryable, Tx } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Vault } from '../secrets.ts';
import { type EventName, eventNames } from './events.ts';

/** `pending`: not tried yet; `failed`: will be retried; `dead`: given up, can be requeued. */
export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface LoggedDelivery {
  readonly id: bigint;
  readonly subscriptionId: bigint;
  readonly eventId: string;
  readonly event: EventName;
  readonly orderId: bigint;
  readonly status: DeliveryStatus;
  /** It waits because its subscription is paused or disabled. */
  readonly held: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly httpStatus: number | null;
  readonly durationMs: number | null;
  readonly responseBody: string;
  readonly error: string;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
}

const columns = sql`
  id, subscription_id as "subscriptionId", event_id as "eventId", event_type as event, order_id as "orderId", status, attempts,
  max_attempts as "maxAttempts", http_code as "httpStatus", duration_ms as "durationMs", response_body as "responseBody", error,
  sent_at as "sentAt", created_at as "createdAt", status in ('pending', 'failed') and exists (
    select from webhook_subscriptions as subscription
    where subscription.id = subscription_id and subscription.status <> 1 and subscription.deleted_at is null
  ) as held`;

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined;
  readonly event: EventName | undefined;
  readonly subscriptionId: bigint | undefined;
  readonly limit: number;
}

/**
 * The latest deliveries. Every combination of status and event is a range of an index that is already sorted, so this reads
 * the newest of each and merges them; its cost does not depend on the size of the log.
 */
export function listDeliveries(db: Queryable, partnerId: number, filter: DeliveryFilter): Promise<LoggedDelivery[]> {
  const { subscriptionId, limit } = filter;
  const statuses = filter.status ? [filter.status] : deliveryStatuses;
  const events = filter.event ? [filter.event] : eventNames;
  const [owner, key]: [Sql, Sql] =
    subscriptionId === undefined
      ? [sql`(select ${partnerId}::int as id) as owner`, sql`partner_id`]
      : [
          sql`(select id from webhook_subscriptions where id = ${subscriptionId} and partner_id = ${partnerId}) as owner`,
          sql`subscription_id`,
        ];
  return db.query(sql`
    with newest as materialized (
      select recent.id
      from ${owner}
      cross join unnest(${statuses}::text[]) as wanted_status
      cross join unnest(${events}::text[]) as wanted_event
      cross join lateral (
        select id from webhook_deliveries
        where ${key} = owner.id and status = wanted_status and event_type = wanted_event
        order by id desc limit ${limit}
      ) as recent
      order by recent.id desc limit ${limit}
    )
    select delivery.* from newest
    cross join lateral (select ${columns} from webhook_deliveries where id = newest.id limit 1) as delivery
    order by delivery.id desc`);
}

/** Every delivery of an order's events, oldest first. */
export function deliveriesOfOrder(db: Queryable, orderId: bigint): Promise<LoggedDelivery[]> {
  return db.query(sql`
    select ${columns} from webhook_deliveries where order_id = ${orderId} and order_id > 0 order by id limit 1000`);
}

/** One delivery with the exact body that was signed; undefined if the partner has no such delivery. */
export async function readDelivery(
  db: Queryable,
  vault: Vault,
  partnerId: number,
  id: bigint,
): Promise<{ delivery: LoggedDelivery; payload: string | undefined } | undefined> {
  const row = await db.maybe<LoggedDelivery & { body: Buffer | null }>(sql`
    select ${columns}, body from webhook_deliveries where id = ${id} and partner_id = ${partnerId}`);
  if (!row) return undefined;
  const { body, ...delivery } = row;
  return { delivery, payload: body ? vault.open(body) : undefined };
}

/**
 * Deletes a partner's order deliveries, including those still waiting; the subscriptions and their test events stay. The queue
 * comes before the log and both in order, as queue.ts demands. A dead delivery that is requeued between the two statements is
 * kept, because it has a queue row again.
 */
export async function forgetOrderDeliveries(tx: Tx, partnerId: number): Promise<void> {
  const waiting = await tx.query<{ id: bigint }>(sql`
    delete from webhook_queue
    where delivery_id = any (array (
      select delivery_id from webhook_queue join webhook_deliveries on webhook_deliveries.id = delivery_id
      where partner_id = ${partnerId} and order_id > 0
      order by delivery_id for update of webhook_queue
    ))
    returning delivery_id as id`);
  await tx.run(sql`
    with forgotten as (
      delete from webhook_deliveries
      where partner_id = ${partnerId} and order_id > 0
        and (status in ('sent', 'dead') or id = any (${waiting.map(({ id }) => id)}::bigint[]))
      returning id
    )
    delete from webhook_attempts where delivery_id = any (array (select id from forgotten))`);
}
