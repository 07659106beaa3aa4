import type { Tx } from '../../../../platform/db/database.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { traceparent } from '../../../../platform/traces/traces.ts';
import type { Vault } from '../../../../platform/vault/secrets.ts';
import { type EventName, type EventStyle, messageOf, type NewEvent } from '../../events/events.ts';
import { enqueue, type NewDelivery } from './enqueue.ts';
import { type EventsAhead, fitWhole, waitingRoom } from './waiting-limit.ts';

export interface WebhookTerms extends EventStyle {
  /** How many deliveries of one account may wait at a time; undefined if there is no limit. */
  readonly waitingLimit: number | undefined;
  /** How long after its delivery the usage of an eSIM is read first, if a subscription names eSIM events. */
  readonly firstReadingMs: number;
}

export interface Published {
  /** Orders whose events did not all fit under the waiting limit; none of theirs were queued. */
  readonly refusedOrders: ReadonlySet<bigint>;
}

interface Subscriber {
  id: bigint;
  partnerId: number;
  events: EventName[];
}

export type Subscribers = ReadonlyMap<number, readonly Subscriber[]>;

export interface PublishOptions {
  /** The subscribers, if the transaction has looked them up already. */
  readonly to?: Subscribers;
  /** What these orders will send later. It has to fit under the waiting limit, too. */
  readonly ahead?: EventsAhead;
}

/**
 * Writes the deliveries of a batch of events in the transaction of the change that caused them: one statement finds the
 * subscribers, another writes. Under a waiting limit an order gets all the events it will ever send, or none.
 */
export async function publish(
  tx: Tx,
  vault: Vault,
  terms: WebhookTerms,
  events: readonly NewEvent[],
  { to, ahead = new Map() }: PublishOptions = {},
): Promise<Published> {
  const refusedOrders = new Set<bigint>();
  const subscribers = to ?? (await subscribersOf(tx, terms, partnersOf(events)));
  const { waitingLimit } = terms;
  if (waitingLimit === undefined || subscribers.size === 0) {
    await enqueue(tx, vault, newDeliveries(terms, events, subscribers));
    return { refusedOrders };
  }
  const room = await waitingRoom(tx, waitingLimit, [...subscribers.keys()], [...ahead.keys()]);
  const fitting = fitWhole(events, { room, subscribers, ahead, refusedOrders });
  await enqueue(tx, vault, newDeliveries(terms, fitting, subscribers));
  return { refusedOrders };
}

const partnersOf = (events: readonly NewEvent[]): number[] => [...new Set(events.map(({ partnerId }) => partnerId))];

function newDeliveries(terms: WebhookTerms, events: readonly NewEvent[], subscribers: Subscribers): NewDelivery[] {
  return events.flatMap((event) => {
    const takers = subscribers.get(event.partnerId)?.filter((taker) => taker.events.includes(event.event)) ?? [];
    if (takers.length === 0) return [];
    const message = messageOf(terms, event);
    const orderId = 'orderId' in event ? event.orderId : 0n;
    const cause = ('cause' in event && event.cause) || traceparent();
    return takers.map((taker): NewDelivery => {
      const { partnerId, occurredAt } = event;
      return { partnerId, subscriptionId: taker.id, orderId, event: event.event, message, at: occurredAt, cause };
    });
  });
}

/**
 * All subscriptions of these partners: what a paused or disabled one would get is held. Under a waiting limit they are locked,
 * so that the next transaction that counts what waits does so after this one has queued.
 */
export async function subscribersOf(
  tx: Tx,
  terms: WebhookTerms,
  partnerIds: readonly number[],
): Promise<Map<number, Subscriber[]>> {
  const lock = terms.waitingLimit ? sql`for no key update` : sql``;
  const rows = await tx.query<Subscriber>(sql`
    select id, partner_id as "partnerId", events from webhook_subscriptions
    where partner_id = any (${partnerIds}::int[]) and deleted_at is null order by id ${lock}`);
  return Map.groupBy(rows, (row) => row.partnerId);
}

/** Whether a partner has a subscription, as a condition within a statement. */
export const hasSubscriber = (partnerId: Sql): Sql =>
  sql`exists (select from webhook_subscriptions where partner_id = ${partnerId} and deleted_at is null)`;
