import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

export type OrderRow = AnswerOf<'GET /operator/api/{mode}/orders'>['orders'][number];
export type OrderDetail = AnswerOf<'GET /operator/api/{mode}/orders/{id}'>;
export type RefundRow = AnswerOf<'GET /operator/api/{mode}/refunds'>['refunds'][number];
export type ReplacementRow = AnswerOf<'GET /operator/api/{mode}/replacements'>['replacements'][number];
export type Found = AnswerOf<'GET /operator/api/search'>['results'][number];

/** Everything a change to an order may have changed. */
export const ORDERS = ['console', 'orders'] as const;

/** Names of the filters, in the page's address as in the server's. */
export const orderFilters = [
  'partner',
  'status',
  'supplier',
  'destination',
  'product_id',
  'batch',
  'reference',
  'iccid',
  'from',
  'to',
] as const;

export const orders = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'list', query],
    queryFn: () => get('/operator/api/{mode}/orders', { ...query, mode }),
  });

export const order = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'order', id],
    queryFn: () => get('/operator/api/{mode}/orders/{id}', { mode, id }),
  });

export const refunds = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'refunds', query],
    queryFn: () => get('/operator/api/{mode}/refunds', { ...query, mode }),
  });

export const replacements = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'replacements', query],
    queryFn: () => get('/operator/api/{mode}/replacements', { ...query, mode }),
  });

/** A whole API key is a secret and has no place in an address: what is shown of it in lists is enough. */
const withoutKey = (text: string): string => text.replace(/^(esk_(?:test_)?)[0-9a-f]{8,}([0-9a-f]{4})$/i, '$1…$2');

export const search = (q: string) => get('/operator/api/search', { q: withoutKey(q) });
