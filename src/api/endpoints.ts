import { balance } from './account/balance.ts';
import { pricing } from './account/pricing.ts';
import { countries } from './catalog/countries.ts';
import { product } from './catalog/product.ts';
import { products } from './catalog/products.ts';
import type { Endpoint } from './endpoint.ts';

/** Every endpoint of the API. A new one is a file under its own path and a line here. */
export const endpoints: readonly Endpoint[] = [countries, products, product, balance, pricing];
