import { queryOptions } from '@tanstack/react-query';
import type { RequestsView, RequestView } from '../../../../src/entry/panel/insight/requests.ts';
import type { TimelineView } from '../../../../src/entry/site/views/timeline.ts';
import type { Mode } from '../../parts/mode.ts';
import { get, post, type Query } from '../../parts/server/client.ts';

export type RequestDetail = RequestView;
export type RequestRow = RequestsView['requests'][number];
export type Requests = RequestsView;

/** Names of the filters, in the page's address as in the server's. */
export const requestFilters = ['key', 'endpoint', 'status', 'error', 'request_id', 'order', 'from', 'to'] as const;

export const requests = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [mode, 'requests', query],
    queryFn: () => get<RequestsView>(`/api/${mode}/requests`, query),
  });

export const request = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'request', id],
    queryFn: () => get<{ request: RequestDetail }>(`/api/${mode}/requests/${encodeURIComponent(id)}`),
  });

export const timeline = (mode: Mode, orderId: string) =>
  queryOptions({
    queryKey: [mode, 'timeline', orderId],
    queryFn: () =>
      get<TimelineView & { readonly as_of: string }>(`/api/${mode}/orders/${encodeURIComponent(orderId)}/timeline`),
  });

/** What was sent again since `as_of`, when the timeline was read, is left out. */
export const resendEvents = (mode: Mode, orderId: string, as_of: string) =>
  post<{ resent: number }>(`/api/${mode}/orders/${encodeURIComponent(orderId)}/resend`, { as_of });
