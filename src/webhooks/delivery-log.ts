import type { Queryable, Tx } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Vault } from '../secrets.ts';
import { type EventName, eventNames } from './events.ts';

/** `pending`: not tried yet; `failed`: tried, will be tried again; `dead`: given up, an operator can requeue it. */
export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface LoggedDelivery {
  readonly id: bigint;
  readonly subscription_id: bigint;
  readonly event_id: string;
  readonly event_type: EventName;
  readonly order_id: bigint;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly http_code: number | null;
  readonly duration_ms: number | null;
  readonly response_body: string;
  readonly error: string;
  readonly sent_at: Date | null;
  readonly created_at: Date;
}

const columns = sql`
  id, subscription_id, event_id, event_type, order_id, status, attempts, max_attempts, http_code, duration_ms,
  response_body, error, sent_at, created_at`;

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined;
  readonly event: EventName | undefined;
  readonly subscriptionId: bigint | undefined;
  readonly limit: number;
}

/**
 * The latest deliveries. Each wanted status and event is one range of an index that is already in order, so the newest of
 * each are read and merged; how many rows the log holds does not matter.
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

/** One delivery with the exact body that was signed; undefined when it is not the partner's. */
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
    delete from webhook_deliveries
    where partner_id = ${partnerId} and order_id > 0
      and (status in ('sent', 'dead') or id = any (${waiting.map(({ id }) => id)}::bigint[]))`);
}
