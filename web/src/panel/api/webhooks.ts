import { queryOptions } from '@tanstack/react-query';
import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { probe as probeOf } from '../../../../src/entry/api/endpoints/webhook/probe.ts';
import type { test } from '../../../../src/entry/api/endpoints/webhook/test.ts';
import type { AttemptView, DeliveryDetailView, LogView } from '../../../../src/entry/panel/webhooks/deliveries.ts';
import type { ResendableView } from '../../../../src/entry/panel/webhooks/resend.ts';
import type { SubscriptionsView } from '../../../../src/entry/panel/webhooks/webhooks.ts';
import type { EventsView } from '../../../../src/entry/site/views/records.ts';
import type { Mode } from '../../parts/mode.ts';
import { get, post } from '../../parts/server/client.ts';
import type { SubscriptionCalls } from '../../subjects/webhooks/SubscriptionChanges.tsx';
import type { Subscription } from '../../subjects/webhooks/webhooks.ts';
import { postV3 } from './v3.ts';

export type Subscriptions = SubscriptionsView;

export const subscriptions = (mode: Mode) =>
  queryOptions({ queryKey: [mode, 'webhooks'], queryFn: () => get<Subscriptions>(`/api/${mode}/webhooks`) });

/** They change only with the server. */
const webhookEvents = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'webhook-events'],
    queryFn: () => get<EventsView>(`/api/${mode}/webhook-events`),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface Changed {
  readonly subscription: Subscription;
}
interface WithSecret extends Changed {
  readonly secret: string;
}

export const subscriptionCalls = (mode: Mode): SubscriptionCalls => ({
  touches: [mode, 'webhooks'],
  events: webhookEvents,
  create: (world, wanted) => post(`/api/${world}/webhooks`, wanted),
  change: (id, wanted) => post(`/api/${mode}/webhooks/${id}`, wanted),
});

export const rotateSecret = (mode: Mode, id: string) => post<WithSecret>(`/api/${mode}/webhooks/${id}/rotate`);
export const finishRotation = (mode: Mode, id: string) => post<Changed>(`/api/${mode}/webhooks/${id}/finish-rotation`);
export const pauseOrResume = (mode: Mode, id: string, action: 'pause' | 'resume') =>
  post<Changed>(`/api/${mode}/webhooks/${id}/${action}`);
export const unsubscribe = (mode: Mode, id: string) => post(`/api/${mode}/webhooks/${id}/delete`);
export const sendTest = (mode: Mode, subscription_id: string) =>
  postV3<ReplyOf<typeof test>>(mode, 'webhook/test', { subscription_id });

export type DeliveryDetail = DeliveryDetailView;
export type Attempt = AttemptView;
export type Resendable = ResendableView;

export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;

/** The filters of a log, also for sending again; a field that is left out does not filter. */
export interface DeliveryFilter {
  readonly status: string | undefined;
  readonly event: string | undefined;
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/** A subscription with a page of its log: one answer, so that the two always agree. */
export const webhook = (mode: Mode, id: string, filter: DeliveryFilter, before: string | undefined) =>
  queryOptions({
    queryKey: [mode, 'webhooks', id, filter, before],
    queryFn: () => get<LogView>(`/api/${mode}/webhooks/${id}`, { ...filter, before }),
  });

/** Its payload can contain activation data, so it is dropped from the cache when it is closed. */
export const delivery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'webhooks', 'delivery', id],
    queryFn: () => get<DeliveryDetail>(`/api/${mode}/deliveries/${id}`),
    gcTime: 0,
  });

/** How many a filter matches. Read afresh when the dialog opens, then left alone while the person decides. */
export const resendable = (mode: Mode, id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: [mode, 'resendable', id, filter],
    queryFn: () => get<Resendable>(`/api/${mode}/webhooks/${id}/resend`, { ...filter }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface Resent {
  readonly resent: number;
}

/** `as_of` is from what the member was shown; the server uses it to do the same click only once. */
export const resend = (mode: Mode, id: string, as_of: string) =>
  post<Resent>(`/api/${mode}/deliveries/${id}/resend`, { as_of });
export const resendMatching = (mode: Mode, id: string, filter: DeliveryFilter, as_of: string) =>
  post<Resent>(`/api/${mode}/webhooks/${id}/resend`, { ...filter, as_of });

export type ProbeResult = ReplyOf<typeof probeOf>;

export const probe = (mode: Mode, wanted: { url: string; event: string }) =>
  postV3<ProbeResult>(mode, 'webhook/probe', wanted);
