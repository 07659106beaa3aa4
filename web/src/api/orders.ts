import type { products } from '../../../src/api/catalog/products.ts';
import type { ReplyOf } from '../../../src/api/endpoint.ts';
import type { detail } from '../../../src/api/order/detail.ts';
import type { get } from '../../../src/api/order/get.ts';
import type { refund } from '../../../src/api/order/refund.ts';
import type { Mode } from '../paths.ts';
import { postV3 } from './client.ts';
import { v3 } from './queries.ts';

export type OrderRow = ReplyOf<typeof get>['order'][number];
export type OrderDetail = ReplyOf<typeof detail>;
export type Refund = NonNullable<OrderDetail['refund']>;

/** Which orders to list, in the API's words; undefined is not asked for. */
export interface SoughtOrders {
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly iccid?: string | undefined;
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
  readonly before_id?: string | undefined;
}

export const orders = (mode: Mode, sought: SoughtOrders, limit: number) =>
  v3<ReplyOf<typeof get>>(mode, 'order/get', { limit, ...sought });

/** Holds activation data: not kept once the page is left. */
export const order = (mode: Mode, id: string) => ({ ...v3<OrderDetail>(mode, `order/detail/${id}`), gcTime: 0 });

/** An eSIM's ICCID and activation data arrive together. A refill names its eSIM from the start and brings no activation data. */
export const isRefill = ({ esim }: OrderDetail): boolean => esim.iccid !== null && esim.qrcode === null;

export const MAX_REASON = 200;

export const requestRefund = (mode: Mode, order_id: string, reason: string) =>
  postV3<ReplyOf<typeof refund>>(mode, 'order/refund', { order_id, reason });

/** A plan to show in an example: the cheapest of a destination most catalogs have. */
export const examplePlan = (mode: Mode) =>
  v3<ReplyOf<typeof products>>(mode, 'catalog/products', { country: 'FR', limit: 1 });
