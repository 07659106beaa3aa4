import type { Db, Tx } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../secrets.ts';
import { type DeliveryFilter, type LoggedDelivery, listDeliveries, readDelivery } from './delivery-log.ts';
import type { EventName, OrderEvent } from './events.ts';
import { type Probe, Prober } from './probe.ts';
import { type Published, publish, type WebhookPort } from './publish.ts';
import type { Sender } from './send.ts';
import { type QueuedTest, queueTestEvent } from './test-event.ts';

export { type DeliveryStatus, deliveryStatuses, forgetOrderDeliveries, type LoggedDelivery } from './delivery-log.ts';
export { type EventName, eventNames, type OrderEvent } from './events.ts';
export { HINT_CHANNEL } from './hint.ts';
export { pruneBodies } from './prune.ts';
export type { Published, WebhookPort } from './publish.ts';
export { abandonHeld, requeueDead, requeueDelivery } from './requeue.ts';
export { createSender, type Sender } from './send.ts';
export { maskSecret, signatureRule } from './signature.ts';
export {
  changeSubscription,
  checkEvents,
  checkUrl,
  createSubscription,
  deleteSubscription,
  findSubscription,
  listSubscriptions,
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
  publish(tx: Tx, world: WebhookWorld, events: readonly OrderEvent[]): Promise<Published>;
  test(world: WebhookWorld, partnerId: number, subscriptionId: bigint | undefined, now: number): Promise<QueuedTest>;
  probe(world: WebhookWorld, url: string, event: EventName, now: number): Promise<Probe>;
  deliveries(world: WebhookWorld, partnerId: number, filter: DeliveryFilter): Promise<LoggedDelivery[]>;
  delivery(world: WebhookWorld, partnerId: number, id: bigint): ReturnType<typeof readDelivery>;
}

export function createWebhooks({ vault, sender, log }: { vault: Vault; sender: Sender; log: Log }): Webhooks {
  const prober = new Prober(sender, log);
  return {
    publish: (tx, world, events) => publish(tx, vault, world.webhooks, events),
    test: ({ db, webhooks: port }, partnerId, subscriptionId, now) =>
      queueTestEvent({ db, port, vault, log }, partnerId, subscriptionId, now),
    probe: (world, url, event, now) => prober.probe(world.webhooks, url, event, now),
    deliveries: ({ db }, partnerId, filter) => listDeliveries(db, partnerId, filter),
    delivery: ({ db }, partnerId, id) => readDelivery(db, vault, partnerId, id),
  };
}
