import type { Tx } from '../db/database.ts';
import type { Vault } from '../secrets.ts';
import type { OrderEvent } from './events.ts';
import { type Published, publish, type WebhookPort } from './publish.ts';

export { type EventName, eventNames, type OrderEvent } from './events.ts';
export type { Published, WebhookPort } from './publish.ts';

/** The part of a world webhooks need. */
export interface WebhookWorld {
  readonly webhooks: WebhookPort;
}

export interface Webhooks {
  /** Writes the deliveries of a batch of events in the caller's transaction, so they exist exactly when the change does. */
  publish(tx: Tx, world: WebhookWorld, events: readonly OrderEvent[]): Promise<Published>;
}

export function createWebhooks({ vault }: { vault: Vault }): Webhooks {
  return {
    publish: (tx, world, events) => publish(tx, vault, world.webhooks, events),
  };
}
