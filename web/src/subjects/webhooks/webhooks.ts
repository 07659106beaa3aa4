import type { DeliveryView } from '../../../../src/entry/panel/webhooks/deliveries.ts';
import type { EventsView, SubscriptionView } from '../../../../src/entry/site/views/records.ts';

export type Subscription = SubscriptionView;
export type Delivery = DeliveryView;
export type WebhookEvent = EventsView['events'][number];

export interface WantedSubscription {
  readonly url: string;
  /** Empty: all. */
  readonly events: readonly string[];
}
