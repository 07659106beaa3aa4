import { queryOptions } from '@tanstack/react-query';
import type { ConsoleOrderRow, ConsoleOrderView } from '../../../../src/entry/console/orders/order-view.ts';
import type { ConsoleOrdersView } from '../../../../src/entry/console/orders/orders.ts';
import type { RefundsView, RefundView } from '../../../../src/entry/console/orders/refunds.ts';
import type { ReplacementsView, ReplacementView } from '../../../../src/entry/console/orders/replacements.ts';
import type { ConsoleSearchResult } from '../../../../src/entry/console/search.ts';
import type { Mode } from '../../parts/mode.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type OrderRow = ConsoleOrderRow;
export type OrderDetail = ConsoleOrderView;
export type RefundRow = RefundView;
export type ReplacementRow = ReplacementView;
export type Found = ConsoleSearchResult;

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
    queryFn: () => get<ConsoleOrdersView>(`/operator/api/${mode}/orders`, query),
  });

export const order = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'order', id],
    queryFn: () => get<OrderDetail>(`/operator/api/${mode}/orders/${encodeURIComponent(id)}`),
  });

export const refunds = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'refunds', query],
    queryFn: () => get<RefundsView>(`/operator/api/${mode}/refunds`, query),
  });

export const replacements = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [...ORDERS, mode, 'replacements', query],
    queryFn: () => get<ReplacementsView>(`/operator/api/${mode}/replacements`, query),
  });

/** A whole API key is a secret and has no place in an address: what is shown of it in lists is enough. */
const withoutKey = (text: string): string => text.replace(/^(esk_(?:test_)?)[0-9a-f]{8,}([0-9a-f]{4})$/i, '$1…$2');

export const search = (q: string) =>
  get<{ results: ConsoleSearchResult[] }>('/operator/api/search', { q: withoutKey(q) });
