import { queryOptions } from '@tanstack/react-query';
import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { products } from '../../../../src/entry/api/endpoints/catalog/products.ts';
import type { cancel } from '../../../../src/entry/api/endpoints/order/cancel.ts';
import type { detail } from '../../../../src/entry/api/endpoints/order/detail.ts';
import type { refund } from '../../../../src/entry/api/endpoints/order/refund.ts';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, address, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';
import { postV3, v3 } from './v3.ts';

export type OrderPage = AnswerOf<'GET /api/{mode}/orders'>;
export type OrderRow = OrderPage['orders'][number];
export type OrderState = OrderRow['state'];
export type OrderAccount = AnswerOf<'GET /api/{mode}/orders/{id}/money'>;
export type OrderDetail = ReplyOf<typeof detail>;
export type Refund = NonNullable<OrderDetail['refund']>;
export type Cancel = NonNullable<OrderDetail['cancel']>;

/** Which orders to list, in the words of the panel's address; undefined: no filter. */
export interface OrderListFilter extends Query {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly iccid?: string | undefined;
  readonly product_id?: string | undefined;
  readonly key?: string | undefined;
  /** Days in UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly batch?: string | undefined;
  readonly before?: string | undefined;
}

/** Neither delivered nor failed: it can be cancelled. */
export const hasOpenState = ({ state }: Pick<OrderRow, 'state'>): boolean =>
  state === 'paid' || state === 'deferred' || state === 'created';

/** The panel's own list: unlike the API's, it has failed orders among the others. */
export const orders = (mode: Mode, query: OrderListFilter, limit: number) =>
  queryOptions({
    queryKey: [mode, 'orders', query, limit],
    queryFn: () => get('/api/{mode}/orders', { ...query, limit, mode }),
  });

/** Everything the list would show, on all its pages. With a time zone, local times are added beside UTC. */
export const ordersFile = (mode: Mode, { before: _, ...query }: OrderListFilter, tz?: string): string =>
  address('/api/{mode}/orders.csv', { ...query, tz, mode });

/** What happened to an order's money, and why. Read again for each version of the order; older ones are out of date. */
export const orderMoney = (mode: Mode, id: string, version: string) =>
  queryOptions({
    queryKey: [mode, 'orders', id, 'money', version],
    queryFn: () => get('/api/{mode}/orders/{id}/money', { mode, id }),
  });

/** Contains activation data, so it is dropped from the cache when the page is left. */
export const order = (mode: Mode, id: string) => ({ ...v3<OrderDetail>(mode, `order/detail/${id}`), gcTime: 0 });

/** An eSIM's ICCID and activation data arrive together. A refill names its eSIM from the start and brings no activation data. */
export const isRefill = ({ esim }: OrderDetail): boolean => esim.iccid !== null && esim.qrcode === null;

export const MAX_REASON = 200;

export const requestRefund = (mode: Mode, order_id: string, reason: string) =>
  postV3<ReplyOf<typeof refund>>(mode, 'order/refund', { order_id, reason });

export const cancelOrder = (mode: Mode, order_id: string) =>
  postV3<ReplyOf<typeof cancel>>(mode, 'order/cancel', { order_id });

/** A plan to show in an example: the cheapest of a destination most catalogs have. */
export const examplePlan = (mode: Mode) =>
  v3<ReplyOf<typeof products>>(mode, 'catalog/products', { country: 'FR', limit: 1 });
