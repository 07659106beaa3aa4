import type { Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { EventName, NewEvent, OrderEventName } from '../../events/events.ts';

/*
 * How many deliveries of one account may wait at a time, where a world has such a limit. An order is taken only if all the events
 * it will ever send fit; what it sends later is reserved when it begins.
 */

type Takers = ReadonlyMap<number, readonly { readonly events: readonly EventName[] }[]>;

export type EventsAhead = ReadonlyMap<bigint, readonly OrderEventName[]>;

/** Events that are queued together or not at all: those of an order and its eSIM, or of an account. */
const groupOf = (event: NewEvent): bigint | string =>
  'orderId' in event ? event.orderId : `account ${event.partnerId}`;

/** How many more deliveries of each partner may wait. */
export async function waitingRoom(
  tx: Tx,
  most: number,
  partnerIds: readonly number[],
  beginning: readonly bigint[],
): Promise<Map<number, number>> {
  const waiting = await countWaiting(tx, partnerIds, beginning);
  return new Map(partnerIds.map((id) => [id, most - (waiting.get(id) ?? 0)]));
}

/** Deliveries that wait, plus those reserved for open orders. Orders in `beginning` have nothing reserved yet. */
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
        and taker.deleted_at is null and orders.id <> all(${beginning}::bigint[])
    ) as counted group by partner_id`);
  return new Map(rows.map((row) => [row.partnerId, Number(row.waiting)]));
}

interface Fitting {
  readonly room: Map<number, number>;
  readonly subscribers: Takers;
  readonly ahead: EventsAhead;
  readonly refusedOrders: Set<bigint>;
}

/** First come, first served: keeps the events of each order for which all of them fit. */
export function fitWhole(
  events: readonly NewEvent[],
  { room, subscribers, ahead, refusedOrders }: Fitting,
): readonly NewEvent[] {
  const refused = new Set<bigint | string>();
  for (const [group, its] of Map.groupBy(events, groupOf)) {
    const partnerId = (its[0] as NewEvent).partnerId;
    const takers = subscribers.get(partnerId) ?? [];
    const promised = (typeof group === 'bigint' && ahead.get(group)) || [];
    const needed = [...its.map(({ event }) => event), ...promised]
      .map((name) => takers.filter((taker) => taker.events.includes(name)).length)
      .reduce((sum, count) => sum + count, 0);
    const left = (room.get(partnerId) ?? needed) - needed;
    if (left >= 0) room.set(partnerId, left);
    else {
      refused.add(group);
      if (typeof group === 'bigint') refusedOrders.add(group);
    }
  }
  return events.filter((event) => !refused.has(groupOf(event)));
}
