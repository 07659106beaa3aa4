import { queryOptions } from '@tanstack/react-query';
import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { probe as probeOf } from '../../../../src/entry/api/endpoints/webhook/probe.ts';
import type { test } from '../../../../src/entry/api/endpoints/webhook/test.ts';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';
import type { SubscriptionCalls } from '../../subjects/webhooks/SubscriptionChanges.tsx';
import { postV3 } from './v3.ts';

export type Subscriptions = AnswerOf<'GET /api/{mode}/webhooks'>;

export const subscriptions = (mode: Mode) =>
  queryOptions({ queryKey: [mode, 'webhooks'], queryFn: () => get('/api/{mode}/webhooks', { mode }) });

/** They change only with the server. */
const webhookEvents = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'webhook-events'],
    queryFn: () => get('/api/{mode}/webhook-events', { mode }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const subscriptionCalls = (mode: Mode): SubscriptionCalls => ({
  touches: [mode, 'webhooks'],
  events: webhookEvents,
  create: (world, wanted) => post('/api/{mode}/webhooks', { mode: world }, wanted),
  change: (id, wanted) => post('/api/{mode}/webhooks/{id}', { mode, id }, wanted),
});

export const rotateSecret = (mode: Mode, id: string) => post('/api/{mode}/webhooks/{id}/rotate', { mode, id });
export const finishRotation = (mode: Mode, id: string) =>
  post('/api/{mode}/webhooks/{id}/finish-rotation', { mode, id });
export const pauseOrResume = (mode: Mode, id: string, action: 'pause' | 'resume') =>
  post(`/api/{mode}/webhooks/{id}/${action}`, { mode, id });
export const unsubscribe = (mode: Mode, id: string) => post('/api/{mode}/webhooks/{id}/delete', { mode, id });
export const sendTest = (mode: Mode, subscription_id: string) =>
  postV3<ReplyOf<typeof test>>(mode, 'webhook/test', { subscription_id });

export type DeliveryDetail = AnswerOf<'GET /api/{mode}/deliveries/{id}'>;
export type Attempt = DeliveryDetail['attempts'][number];
export type Resendable = AnswerOf<'GET /api/{mode}/webhooks/{id}/resend'>;

export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;

/** The filters of a log, also for sending again; a field that is left out does not filter. */
export interface DeliveryFilter {
  readonly status: string | undefined;
  readonly event: string | undefined;
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/** A subscription with a page of its log: one answer, so that the two always agree. */
export const webhook = (
  mode: Mode,
  id: string,
  filter: DeliveryFilter,
  page: { readonly before: string | undefined; readonly limit: number },
) =>
  queryOptions({
    queryKey: [mode, 'webhooks', id, filter, page],
    queryFn: () => get('/api/{mode}/webhooks/{id}', { ...filter, ...page, mode, id }),
  });

/** Its payload can contain activation data, so it is dropped from the cache when it is closed. */
export const delivery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'webhooks', 'delivery', id],
    queryFn: () => get('/api/{mode}/deliveries/{id}', { mode, id }),
    gcTime: 0,
  });

/** How many a filter matches. Read afresh when the dialog opens, then left alone while the person decides. */
export const resendable = (mode: Mode, id: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: [mode, 'resendable', id, filter],
    queryFn: () => get('/api/{mode}/webhooks/{id}/resend', { ...filter, mode, id }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** `as_of` is from what the member was shown; the server uses it to do the same click only once. */
export const resend = (mode: Mode, id: string, as_of: string) =>
  post('/api/{mode}/deliveries/{id}/resend', { mode, id }, { as_of });
export const resendMatching = (mode: Mode, id: string, filter: DeliveryFilter, as_of: string) =>
  post('/api/{mode}/webhooks/{id}/resend', { mode, id }, { ...filter, as_of });

export type ProbeResult = ReplyOf<typeof probeOf>;

export const probe = (mode: Mode, wanted: { url: string; event: string }) =>
  postV3<ProbeResult>(mode, 'webhook/probe', wanted);
