import type { Queryable } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { Vault } from '../../../../platform/vault/secrets.ts';
import { type EventName, eventNames } from '../../events/events.ts';
import { type DeliveryStatus, deliveryStatuses, type Match, matching } from '../queue/matching.ts';

export interface LoggedDelivery {
  readonly id: bigint;
  readonly subscriptionId: bigint;
  readonly eventId: string;
  readonly event: EventName;
  readonly orderId: bigint;
  readonly status: DeliveryStatus;
  /** It is held because its subscription is paused or disabled. */
  readonly held: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Attempts made besides these while its subscription was disabled, to find out whether the receiver was back. */
  readonly tries: number;
  readonly httpStatus: number | null;
  readonly durationMs: number | null;
  readonly responseBody: string;
  readonly error: string;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
}

const columns = sql`
  id, subscription_id as "subscriptionId", event_id as "eventId", event_type as event, order_id as "orderId", status, attempts,
  max_attempts as "maxAttempts", comeback_tries as tries, http_code as "httpStatus", duration_ms as "durationMs", response_body as "responseBody", error,
  sent_at as "sentAt", created_at as "createdAt", status in ('pending', 'failed') and exists (
    select from webhook_subscriptions as subscription
    where subscription.id = subscription_id and subscription.status <> 1 and subscription.deleted_at is null
  ) as held`;

interface DeliveryFilter extends Omit<Match, 'partnerId' | 'statuses' | 'events'> {
  readonly status: DeliveryStatus | undefined;
  readonly event: EventName | undefined;
}

/** The latest deliveries. Costs the same however long the log is (see matching.ts). */
export function listDeliveries(
  db: Queryable,
  partnerId: number,
  { status, event, ...filter }: DeliveryFilter,
): Promise<LoggedDelivery[]> {
  const match = {
    ...filter,
    partnerId,
    statuses: status ? [status] : deliveryStatuses,
    events: event ? [event] : eventNames,
  };
  return db.query(sql`
    with newest as materialized (${matching(match)})
    select delivery.* from newest
    cross join lateral (select ${columns} from webhook_deliveries where id = newest.id limit 1) as delivery
    order by delivery.id desc`);
}

/** Every delivery of an order's events, oldest first. */
export function deliveriesOfOrder(db: Queryable, orderId: bigint): Promise<LoggedDelivery[]> {
  return db.query(sql`
    select ${columns} from webhook_deliveries where order_id = ${orderId} and order_id > 0 order by id limit 1000`);
}

/** One delivery with the exact body that was signed, if it is still stored; undefined if the partner has no such delivery. */
export async function readDelivery(db: Queryable, vault: Vault, partnerId: number, id: bigint) {
  const row = await db.maybe<LoggedDelivery & { body: Buffer | null; asOf: Date }>(sql`
    select ${columns}, body, now() as "asOf" from webhook_deliveries where id = ${id} and partner_id = ${partnerId}`);
  if (!row) return undefined;
  const { body, asOf, ...delivery } = row;
  return { delivery, payload: body ? vault.open(body) : undefined, asOf };
}
