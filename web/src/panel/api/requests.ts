import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

export type RequestDetail = AnswerOf<'GET /api/{mode}/requests/{id}'>['request'];
export type Requests = AnswerOf<'GET /api/{mode}/requests'>;
export type RequestRow = Requests['requests'][number];

/** Names of the filters, in the page's address as in the server's. */
export const requestFilters = ['key', 'endpoint', 'status', 'error', 'request_id', 'order', 'from', 'to'] as const;

export const requests = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [mode, 'requests', query],
    queryFn: () => get('/api/{mode}/requests', { ...query, mode }),
  });

export const request = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'request', id],
    queryFn: () => get('/api/{mode}/requests/{id}', { mode, id }),
  });

export const timeline = (mode: Mode, orderId: string) =>
  queryOptions({
    queryKey: [mode, 'timeline', orderId],
    queryFn: () => get('/api/{mode}/orders/{id}/timeline', { mode, id: orderId }),
  });

/** What was sent again since `as_of`, when the timeline was read, is left out. */
export const resendEvents = (mode: Mode, orderId: string, as_of: string) =>
  post('/api/{mode}/orders/{id}/resend', { mode, id: orderId }, { as_of });
