import { queryOptions } from '@tanstack/react-query';
import type { ReplyOf } from '../../../src/api/endpoint.ts';
import type { deliveries as deliveriesOf } from '../../../src/api/webhook/deliveries.ts';
import type { probe as probeOf } from '../../../src/api/webhook/probe.ts';
import type { test } from '../../../src/api/webhook/test.ts';
import type { EventsView, SubscriptionsView, SubscriptionView } from '../../../src/panel/api/webhooks.ts';
import type { Mode } from '../paths.ts';
import { get, post, postV3 } from './client.ts';
import { v3 } from './queries.ts';

export type Subscription = SubscriptionView;
export type Subscriptions = SubscriptionsView;

export const subscriptions = (mode: Mode) =>
  queryOptions({ queryKey: [mode, 'webhooks'], queryFn: () => get<Subscriptions>(`/api/${mode}/webhooks`) });

/** They change only with the server. */
export const webhookEvents = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'webhook-events'],
    queryFn: () => get<EventsView>(`/api/${mode}/webhook-events`),
    staleTime: Number.POSITIVE_INFINITY,
  });

export type WebhookEvent = EventsView['events'][number];

interface Changed {
  readonly subscription: Subscription;
}
interface WithSecret extends Changed {
  readonly secret: string;
}

export interface WantedSubscription {
  readonly url: string;
  /** Empty: all. */
  readonly events: readonly string[];
}

export const subscribe = (mode: Mode, wanted: WantedSubscription) => post<WithSecret>(`/api/${mode}/webhooks`, wanted);
export const changeSubscription = (mode: Mode, id: string, wanted: WantedSubscription) =>
  post<Changed>(`/api/${mode}/webhooks/${id}`, wanted);
export const rotateSecret = (mode: Mode, id: string) => post<WithSecret>(`/api/${mode}/webhooks/${id}/rotate`);
export const finishRotation = (mode: Mode, id: string) => post<Changed>(`/api/${mode}/webhooks/${id}/finish-rotation`);
export const pauseOrResume = (mode: Mode, id: string, action: 'pause' | 'resume') =>
  post<Changed>(`/api/${mode}/webhooks/${id}/${action}`);
export const unsubscribe = (mode: Mode, id: string) => post(`/api/${mode}/webhooks/${id}/delete`);
export const sendTest = (mode: Mode, subscription_id: string) =>
  postV3<ReplyOf<typeof test>>(mode, 'webhook/test', { subscription_id });

type Log = Extract<ReplyOf<typeof deliveriesOf>, { deliveries: unknown }>;
export type DeliveryDetail = Exclude<ReplyOf<typeof deliveriesOf>, Log>;
export type Delivery = DeliveryDetail['delivery'];

export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;
/** The log has no pages: it shows the latest, this many at most. */
export const MAX_DELIVERIES = 200;

export const deliveries = (mode: Mode, subscription_id: string, status: string | undefined, limit: number) =>
  v3<Log>(mode, 'webhook/deliveries', { subscription_id, status, limit });

/** Its payload can hold activation data: not kept once it is closed. */
export const delivery = (mode: Mode, id: string) => ({
  ...v3<DeliveryDetail>(mode, 'webhook/deliveries', { id }),
  gcTime: 0,
});

export const requeue = (mode: Mode, id: string) => post(`/api/${mode}/deliveries/${id}/requeue`);

export type ProbeResult = ReplyOf<typeof probeOf>;

export const probe = (mode: Mode, wanted: { url: string; event: string }) =>
  postV3<ProbeResult>(mode, 'webhook/probe', wanted);
