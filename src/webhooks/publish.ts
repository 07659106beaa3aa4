import type { ErrorCode } from '../api/errors.ts';
import { aheadOf } from '../db/account-time.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Vault } from '../secrets.ts';
import {
  type EventName,
  type EventStyle,
  type Message,
  type OrderEvent,
  type OrderEventName,
  orderMessage,
} from './events.ts';
import { hint } from './hint.ts';
import { MAX_ATTEMPTS } from './schedule.ts';

type QueueFull = Extract<ErrorCode, `${string}_queue_full`>;

/** What a world settles about its webhooks. */
export interface WebhookPort extends EventStyle {
  /** Deliveries of one account that may wait at a time, and the code for more; undefined: as many as there are. */
  readonly waitingLimit: { readonly most: number; readonly code: QueueFull } | undefined;
}

export interface Published {
  /** Orders whose events did not all fit under the waiting limit: none of theirs was queued. */
  readonly refusedOrders: ReadonlySet<bigint>;
}

interface Subscriber {
  id: bigint;
  partnerId: number;
  events: EventName[];
}

/** One delivery to come: which event goes to which subscription. */
export interface Outgoing {
  readonly partnerId: number;
  readonly subscriptionId: bigint;
  readonly orderId: bigint;
  readonly event: EventName;
  readonly message: Message;
  readonly at: number;
}

/** The subscriptions that may hear of each partner's orders. */
export type Subscribers = ReadonlyMap<number, readonly Subscriber[]>;

/** Events an order will send later. */
export type EventsAhead = ReadonlyMap<bigint, readonly OrderEventName[]>;

/**
 * Writes the deliveries of a batch of events with the state change that caused them. One cheap statement when no partner of
 * the batch has a subscription; one more for the whole batch when some have. Where a limit counts, an order gets in only
 * with all it will ever send.
 */
export async function publish(
  tx: Tx,
  vault: Vault,
  port: WebhookPort,
  events: readonly OrderEvent[],
  ahead: EventsAhead = new Map(),
): Promise<Published> {
  const refusedOrders = new Set<bigint>();
  if (events.length === 0) return { refusedOrders };
  const subscribers = await subscribersOf(tx, port, partnersOf(events));
  if (subscribers.size === 0) return { refusedOrders };
  const wanted = outgoing(port, events, subscribers);
  const room = await waitingRoom(tx, port, [...subscribers.keys()], [...ahead.keys()]);
  const fitting = room ? fitWhole(events, wanted, { room, subscribers, ahead, refusedOrders }) : wanted;
  await enqueue(tx, vault, fitting);
  return { refusedOrders };
}

/** The same for orders under way: room for their events was kept when they began, so no limit is asked. */
export async function publishPromised(
  tx: Tx,
  vault: Vault,
  port: WebhookPort,
  subscribers: Subscribers,
  events: readonly OrderEvent[],
): Promise<void> {
  await enqueue(tx, vault, outgoing(port, events, subscribers));
}

/** For `publishPromised`: who hears of these partners' orders. Can be asked while the orders are still being changed. */
export function promisedTo(tx: Tx, port: WebhookPort, partnerIds: readonly number[]): Promise<Subscribers> {
  return subscribersOf(tx, { ...port, waitingLimit: undefined }, partnerIds);
}

const partnersOf = (events: readonly OrderEvent[]): number[] => [...new Set(events.map(({ partnerId }) => partnerId))];

function outgoing(port: WebhookPort, events: readonly OrderEvent[], subscribers: Subscribers): Outgoing[] {
  return events.flatMap((event) => {
    const takers = subscribers.get(event.partnerId)?.filter((taker) => taker.events.includes(event.event)) ?? [];
    if (takers.length === 0) return [];
    const message = orderMessage(port, event);
    return takers.map((taker): Outgoing => {
      const { partnerId, orderId, occurredAt } = event;
      return { partnerId, subscriptionId: taker.id, orderId, event: event.event, message, at: occurredAt };
    });
  });
}

/**
 * Active and paused subscriptions by partner; a disabled one hears nothing new. Where a limit counts they are locked, so
 * that whoever counts next waits until this transaction has queued.
 */
export async function subscribersOf(
  tx: Tx,
  port: WebhookPort,
  partnerIds: readonly number[],
): Promise<Map<number, Subscriber[]>> {
  const lock = port.waitingLimit ? sql`for no key update` : sql``;
  const rows = await tx.query<Subscriber>(sql`
    select id, partner_id as "partnerId", events from webhook_subscriptions
    where partner_id = any (${partnerIds}::int[]) and status <> 3 and deleted_at is null order by id ${lock}`);
  return Map.groupBy(rows, (row) => row.partnerId);
}

/** How many more deliveries each partner may have waiting; undefined where there is no limit. */
async function waitingRoom(
  tx: Tx,
  port: WebhookPort,
  partnerIds: readonly number[],
  beginning: readonly bigint[],
): Promise<Map<number, number> | undefined> {
  const limit = port.waitingLimit;
  if (!limit) return undefined;
  const waiting = await countWaiting(tx, partnerIds, beginning);
  return new Map(partnerIds.map((id) => [id, limit.most - (waiting.get(id) ?? 0)]));
}

/** What waits, and what open orders still have room kept for; those that only begin have none yet. */
export async function countWaiting(
  tx: Tx,
  partnerIds: readonly number[],
  beginning: readonly bigint[] = [],
): Promise<Map<number, number>> {
  const rows = await tx.query<{ partnerId: number; waiting: bigint }>(sql`
    select partner_id as "partnerId", count(*) as waiting from (
      select partner_id
      from webhook_subscriptions join webhook_queue on subscription_id = webhook_subscriptions.id
      where partner_id = any(${partnerIds}::int[])
      union all
      select orders.partner_id
      from orders cross join unnest(events_ahead) as ahead (event)
      join webhook_subscriptions as taker on taker.partner_id = orders.partner_id and ahead.event = any(taker.events)
      where orders.partner_id = any(${partnerIds}::int[]) and provision_due_at is not null
        and taker.status <> 3 and taker.deleted_at is null and orders.id <> all(${beginning}::bigint[])
    ) as counted group by partner_id`);
  return new Map(rows.map((row) => [row.partnerId, Number(row.waiting)]));
}

interface Fitting {
  readonly room: Map<number, number>;
  readonly subscribers: ReadonlyMap<number, Subscriber[]>;
  readonly ahead: EventsAhead;
  readonly refusedOrders: Set<bigint>;
}

/** Keeps the deliveries of those orders whose every delivery fits, in the order they came. */
function fitWhole(events: readonly OrderEvent[], wanted: readonly Outgoing[], fitting: Fitting): Outgoing[] {
  const { room, subscribers, ahead, refusedOrders } = fitting;
  const deliveries = Map.groupBy(wanted, ({ orderId }) => orderId);
  for (const [orderId, partnerId] of new Map(events.map((event) => [event.orderId, event.partnerId]))) {
    const takers = subscribers.get(partnerId) ?? [];
    const promised = (ahead.get(orderId) ?? []).flatMap((name) =>
      takers.filter((taker) => taker.events.includes(name)),
    );
    const needed = (deliveries.get(orderId)?.length ?? 0) + promised.length;
    const left = (room.get(partnerId) ?? needed) - needed;
    if (left < 0) refusedOrders.add(orderId);
    else room.set(partnerId, left);
  }
  return wanted.filter(({ orderId }) => !refusedOrders.has(orderId));
}

/** Logs and queues the deliveries, due at once; returns their ids in the order given. */
export async function enqueue(tx: Tx, vault: Vault, deliveries: readonly Outgoing[]): Promise<bigint[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx.query<{ id: bigint }>(sql`
    with fresh as materialized (
      select nextval('webhook_deliveries_id_seq') as id, fresh.*
      from unnest(
        ${deliveries.map(({ partnerId }) => partnerId)}::int[],
        ${deliveries.map(({ subscriptionId }) => subscriptionId)}::bigint[],
        ${deliveries.map(({ orderId }) => orderId)}::bigint[],
        ${deliveries.map(({ message }) => message.eventId)}::text[],
        ${deliveries.map(({ event }) => event)}::text[],
        ${deliveries.map(({ at }) => new Date(at))}::timestamptz[],
        ${deliveries.map(({ message }) => vault.seal(message.body))}::bytea[]
      ) with ordinality as fresh (partner_id, subscription_id, order_id, event_id, event_type, at, body, n)
      order by n
    ), logged as (
      insert into webhook_deliveries
        (id, partner_id, subscription_id, order_id, event_id, event_type, max_attempts, created_at, body)
      overriding system value
      select id, partner_id, subscription_id, order_id, event_id, event_type, ${MAX_ATTEMPTS}, at, body from fresh
    ), queued as (
      insert into webhook_queue (delivery_id, subscription_id, due_at, max_attempts)
      -- Waits run in real time; only what is shown is told in the account's own.
      select id, subscription_id, at - ${aheadOf(sql`fresh.partner_id`)}, ${MAX_ATTEMPTS} from fresh
    ), hinted as (
      select ${hint(deliveries.map(({ subscriptionId }) => subscriptionId))}
    )
    select id from fresh cross join hinted order by n`);
  return rows.map((row) => row.id);
}
