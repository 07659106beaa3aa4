import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { countries } from '../../../../src/entry/api/endpoints/catalog/countries.ts';
import type { products } from '../../../../src/entry/api/endpoints/catalog/products.ts';
import type { Mode } from '../../parts/mode.ts';
import { v3 } from './v3.ts';

export type PricedPlan = ReplyOf<typeof products>['products'][number];

export const destinations = (mode: Mode) => ({
  ...v3<ReplyOf<typeof countries>>(mode, 'catalog/countries'),
  staleTime: 60_000,
});

/** Every plan of a destination with its list price and what this account pays. */
export const pricesIn = (mode: Mode, country: string, offset: number, limit: number) =>
  v3<ReplyOf<typeof products>>(mode, 'catalog/products', { country, offset, limit, all_variants: 1, include_small: 1 });
