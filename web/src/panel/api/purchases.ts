import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { quote as quoted } from '../../../../src/entry/api/endpoints/purchase/quote.ts';
import type { Mode } from '../../parts/mode.ts';
import { post } from '../../parts/server/client.ts';
import { v3 } from './v3.ts';

export type Quote = ReplyOf<typeof quoted>;

/** The current price, and whether it can be bought. Never from the cache: the buyer agrees to this price. */
export const quote = (mode: Mode, product_id: string, iccid: string | undefined) => ({
  ...v3<Quote>(mode, 'purchase/quote', { product_id, iccid }),
  staleTime: 0,
  gcTime: 0,
});

export interface Wanted {
  readonly product_id: string;
  readonly iccid?: string;
  readonly reference?: string;
  /** The price that was shown. */
  readonly max_price: string;
}

export interface Bought {
  readonly order_id: string;
  readonly delivery: 'delivered' | 'deferred' | 'failed';
}

export const purchase = (mode: Mode, wanted: Wanted) => post<Bought>(`/api/${mode}/purchases`, wanted);
