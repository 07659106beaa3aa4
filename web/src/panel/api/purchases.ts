import { queryOptions } from '@tanstack/react-query';
import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { quote as quoted } from '../../../../src/entry/api/endpoints/purchase/quote.ts';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, type BodyOf, get, post } from '../../parts/server/calls.ts';
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

export type PlacedOrder = NonNullable<AnswerOf<'GET /api/{mode}/purchases'>['order']>;

const ASK_AGAIN_MS = 1_000;

/** What became of the purchase that was sent with this key; asked until it is certain. */
export const purchaseUnder = (mode: Mode, key: string) =>
  queryOptions({
    // Not among what a purchase changes: the form that goes on under this key would be replaced while its answer arrives.
    queryKey: ['purchase', mode, key],
    queryFn: () => get('/api/{mode}/purchases', { mode, key }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => (data?.is_running && !data.order ? ASK_AGAIN_MS : false),
  });
