import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../paths.ts';
import { get, post, postV3 } from './client.ts';
import { v3 } from './queries.ts';

export interface Subscription {
  readonly id: string;
  readonly url: string;
  readonly secret_mask: string;
  readonly events: readonly string[];
  /** 1 active, 2 paused, 3 disabled after repeated failures */
  readonly status: 1 | 2 | 3;
  readonly fail_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Subscriptions {
  readonly subscriptions: readonly Subscription[];
  readonly events: readonly string[];
  readonly max: number;
}

export const subscriptions = (mode: Mode) =>
  queryOptions({ queryKey: [mode, 'webhooks'], queryFn: () => get<Subscriptions>(`/api/${mode}/webhooks`) });

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
export const pauseOrResume = (mode: Mode, id: string, action: 'pause' | 'resume') =>
  post<Changed>(`/api/${mode}/webhooks/${id}/${action}`);
export const unsubscribe = (mode: Mode, id: string) => post(`/api/${mode}/webhooks/${id}/delete`);
export const sendTest = (mode: Mode, subscription_id: string) =>
  postV3<{ queued: number; delivery_ids: string[] }>(mode, 'webhook/test', { subscription_id });

export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly sale_id: string;
  readonly status: 'pending' | 'sent' | 'failed' | 'dead';
  readonly attempts: string;
  readonly max_attempts: string;
  readonly http_code: string;
  readonly duration_ms: string;
  readonly response_body: string;
  readonly error: string;
  readonly sent_at: string | null;
  readonly date: string;
}

export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;
/** The log has no pages: it shows the latest, this many at most. */
export const MAX_DELIVERIES = 200;

export const deliveries = (mode: Mode, subscription_id: string, status: string | undefined, limit: number) =>
  v3<{ deliveries: Delivery[] }>(mode, 'webhook/deliveries', { subscription_id, status, limit });

export interface DeliveryDetail {
  readonly delivery: Delivery;
  readonly payload: string;
  readonly payload_pruned: boolean;
  readonly signature_rule: string;
}

/** Its payload can hold activation data: not kept once it is closed. */
export const delivery = (mode: Mode, id: string) => ({
  ...v3<DeliveryDetail>(mode, 'webhook/deliveries', { id }),
  gcTime: 0,
});

export const requeue = (mode: Mode, id: string) => post(`/api/${mode}/deliveries/${id}/requeue`);

export interface ProbeResult {
  readonly request_sent: boolean;
  readonly http_status: number | null;
  readonly accepted: boolean;
  readonly duration_ms: number;
  readonly response_body: string;
  readonly error: string;
  readonly payload: string;
  readonly timestamp: number;
  readonly signature: string;
  readonly probe_secret: string;
  readonly signature_rule: string;
}

export const probe = (mode: Mode, wanted: { url: string; event: string }) =>
  postV3<ProbeResult>(mode, 'webhook/probe', wanted);
