import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { quote as quoted } from '../../../../src/entry/api/endpoints/purchase/quote.ts';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, type BodyOf, post } from '../../parts/server/calls.ts';
import { v3 } from './v3.ts';

export type Quote = ReplyOf<typeof quoted>;

/** The current price, and whether it can be bought. Never from the cache: the buyer agrees to this price. */
export const quote = (mode: Mode, product_id: string, iccid: string | undefined) => ({
  ...v3<Quote>(mode, 'purchase/quote', { product_id, iccid }),
  staleTime: 0,
  gcTime: 0,
});

export type Wanted = BodyOf<'POST /api/{mode}/purchases'>;
export type Bought = AnswerOf<'POST /api/{mode}/purchases'>;

export const purchase = (mode: Mode, wanted: Wanted) => post('/api/{mode}/purchases', { mode }, wanted);
