import type { Tx } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { Vault } from '../../../../platform/vault/secrets.ts';
import { type EventName, type EventStyle, type Message, type OrderEvent, orderMessage } from '../../events/events.ts';
import { hintAbout } from './queue.ts';
import { MAX_ATTEMPTS } from './schedule.ts';

export interface NewDelivery {
  readonly partnerId: number;
  readonly subscriptionId: bigint;
  readonly orderId: bigint;
  readonly event: EventName;
  readonly message: Message;
  readonly at: number;
  /** The request that caused it, for traces. */
  readonly cause?: string | undefined;
}

/** Logs and queues deliveries, due at once. Returns their ids in the order given. */
export async function enqueue(tx: Tx, vault: Vault, deliveries: readonly NewDelivery[]): Promise<bigint[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.query<{ id: bigint }>(sql`
    with ${queueing(sql`
      select nextval('webhook_deliveries_id_seq') as id, given.*
      from unnest(
        ${deliveries.map(({ partnerId }) => partnerId)}::int[],
        ${deliveries.map(({ subscriptionId }) => subscriptionId)}::bigint[],
        ${deliveries.map(({ orderId }) => orderId)}::bigint[],
        ${deliveries.map(({ message }) => message.eventId)}::text[],
        ${deliveries.map(({ event }) => event)}::text[],
        ${deliveries.map(({ at }) => new Date(at))}::timestamptz[],
        ${deliveries.map(({ message }) => vault.seal(message.body))}::bytea[],
        ${deliveries.map(({ cause }) => cause ?? null)}::text[]
      ) with ordinality as given (partner_id, subscription_id, order_id, event_id, event_type, at, body, traceparent, n)
      order by n`)}
    select id from fresh left join hinted on true order by n`);
  return rows.map((row) => row.id);
}

/**
 * The same as parts of the statement that changes the orders (`with … , ${announce(…)}`), which saves a round trip. That statement
 * must join `hinted`. Only for events whose room under the waiting limit was reserved when their order began. `changed` selects
 * the ids of the orders that did change.
 */
export function announce(vault: Vault, style: EventStyle, events: readonly OrderEvent[], changed: Sql): Sql {
  const messages = events.map((event) => orderMessage(style, event));
  return queueing(sql`
    select nextval('webhook_deliveries_id_seq') as id, event.*, subscription.id as subscription_id
    from unnest(
      ${events.map(({ partnerId }) => partnerId)}::int[], ${events.map(({ orderId }) => orderId)}::bigint[],
      ${messages.map(({ eventId }) => eventId)}::text[], ${events.map(({ event }) => event)}::text[],
      ${events.map(({ occurredAt }) => new Date(occurredAt))}::timestamptz[],
      ${messages.map(({ body }) => vault.seal(body))}::bytea[],
      ${events.map(({ cause }) => cause ?? null)}::text[]
    ) with ordinality as event (partner_id, order_id, event_id, event_type, at, body, traceparent, n)
    join webhook_subscriptions as subscription on subscription.partner_id = event.partner_id
      and subscription.deleted_at is null and event.event_type = any(subscription.events)
    where event.order_id in (${changed})
    order by n, subscription.id`);
}

/** Parts of a statement that log and queue what `fresh` selects and send the hint. */
function queueing(fresh: Sql): Sql {
  return sql`fresh as materialized (${fresh}
    ), logged as (
      insert into webhook_deliveries
        (id, partner_id, subscription_id, order_id, event_id, event_type, max_attempts, created_at, body, traceparent)
      overriding system value
      select id, partner_id, subscription_id, order_id, event_id, event_type, ${MAX_ATTEMPTS}, at, body, traceparent from fresh
    ), queued as (
      insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
      -- The queue runs in real time; only times that are shown are in the account's own.
      select id, subscription_id, at - ${aheadOfRealTime(sql`fresh.partner_id`)}, ${MAX_ATTEMPTS} from fresh
    ), hinted as materialized (${hintAbout(sql`fresh`)})`;
}
