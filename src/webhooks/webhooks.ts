import type { Clock } from '../clock.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../secrets.ts';
import { type DeliveryFilter, type LoggedDelivery, listDeliveries, readDelivery } from './delivery-log.ts';
import { announce } from './enqueue.ts';
import type { EventName, OrderEvent } from './events.ts';
import { type Probe, Prober } from './probe.ts';
import {
  type Published,
  type PublishOptions,
  publish,
  type Subscribers,
  subscribersOf,
  type WebhookPort,
} from './publish.ts';
import type { Sender } from './send.ts';
import { type QueuedTest, queueTestEvent } from './test-event.ts';

export { latestDeathFirst, listDeadLetters } from './dead-letters.ts';
export { type DeliveryStatus, deliveryStatuses, forgetOrderDeliveries, type LoggedDelivery } from './delivery-log.ts';
export { type EventName, eventNames, type OrderEvent, type OrderEventName } from './events.ts';
export { webhookHeaders } from './headers.ts';
export { HINT_CHANNEL } from './hint.ts';
export { pruneBodies } from './prune.ts';
export type { Published, WebhookPort } from './publish.ts';
export { abandonHeld, hastenDeliveries, requeueDead, requeueDelivery } from './requeue.ts';
export { createSender, type Sender } from './send.ts';
export { maskSecret, SECRET_PREFIX, sign, signatureRule } from './signature.ts';
export {
  changeSubscription,
  checkEvents,
  checkUrl,
  createSubscription,
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  MAX_SUBSCRIPTIONS,
  MAX_URL_LENGTH,
  pauseSubscription,
  replaceSecret,
  resumeSubscription,
  type Subscription,
} from './subscriptions.ts';
export { createGuard, type Guard } from './target.ts';
export { type WebhookWork, webhookWork } from './work.ts';

/** The part of a world webhooks need. */
export interface WebhookWorld {
  readonly db: Db;
  readonly webhooks: WebhookPort;
}

export interface Webhooks {
  /** Writes the deliveries of a batch of events in the caller's transaction, so they exist exactly when the change does. */
  publish(tx: Tx, world: WebhookWorld, events: readonly OrderEvent[], options?: PublishOptions): Promise<Published>;
  /** Who hears of these partners' orders; where a limit counts they are held until the transaction ends. */
  subscribers(tx: Tx, world: WebhookWorld, partnerIds: readonly number[]): Promise<Subscribers>;
  /**
   * The same within one statement: parts of it (`with … , ${announce(…)}`) that write what the orders selected by `changed` had
   * announced as ahead. The statement must join `hinted`.
   */
  announce(world: WebhookWorld, events: readonly OrderEvent[], changed: Sql): Sql;
  test(world: WebhookWorld, partnerId: number, subscriptionId: bigint | undefined, now: number): Promise<QueuedTest>;
  probe(world: WebhookWorld, url: string, event: EventName): Promise<Probe>;
  deliveries(world: WebhookWorld, partnerId: number, filter: DeliveryFilter): Promise<LoggedDelivery[]>;
  delivery(world: WebhookWorld, partnerId: number, id: bigint): ReturnType<typeof readDelivery>;
}

export interface WebhooksParts {
  readonly vault: Vault;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly log: Log;
}

export function createWebhooks({ vault, sender, clock, log }: WebhooksParts): Webhooks {
  const prober = new Prober(sender, log);
  return {
    publish: (tx, world, events, options) => publish(tx, vault, world.webhooks, events, options),
    subscribers: (tx, world, partnerIds) => subscribersOf(tx, world.webhooks, partnerIds),
    announce: (world, events, changed) => announce(vault, world.webhooks, events, changed),
    test: ({ db, webhooks: port }, partnerId, subscriptionId, now) =>
      queueTestEvent({ db, port, vault, log }, partnerId, subscriptionId, now),
    // Signed at the real time, whatever an account's own clock says: receivers refuse any other.
    probe: (world, url, event) => prober.probe(world.webhooks, url, event, clock.now()),
    deliveries: ({ db }, partnerId, filter) => listDeliveries(db, partnerId, filter),
    delivery: ({ db }, partnerId, id) => readDelivery(db, vault, partnerId, id),
  };
}
