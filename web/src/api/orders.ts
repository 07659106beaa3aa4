import type { products } from '../../../src/api/catalog/products.ts';
import type { ReplyOf } from '../../../src/api/endpoint.ts';
import type { detail } from '../../../src/api/order/detail.ts';
import type { get } from '../../../src/api/order/get.ts';
import type { usage as usageOf } from '../../../src/api/order/usage.ts';
import type { Mode } from '../paths.ts';
import { v3 } from './queries.ts';

export type OrderRow = ReplyOf<typeof get>['order'][number];
export type OrderDetail = ReplyOf<typeof detail>;
export type Usage = ReplyOf<typeof usageOf>['usage'];

export const orders = (mode: Mode, page: number, limit: number) =>
  v3<ReplyOf<typeof get>>(mode, 'order/get', { limit, start: page });

/** Holds activation data: not kept once the page is left. */
export const order = (mode: Mode, id: string) => ({ ...v3<OrderDetail>(mode, `order/detail/${id}`), gcTime: 0 });

export const usage = (mode: Mode, iccid: string) => v3<ReplyOf<typeof usageOf>>(mode, `order/usage/${iccid}`);

/** A plan to show in an example: the cheapest of a destination most catalogs have. */
export const examplePlan = (mode: Mode) =>
  v3<ReplyOf<typeof products>>(mode, 'catalog/products', { country: 'FR', limit: 1 });
