import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

export type Rule = AnswerOf<'GET /operator/api/prices/rules'>['rules'][number];
export type SupplierMarkup = AnswerOf<'GET /operator/api/prices'>['suppliers'][number];
export type PriceCheckView = AnswerOf<'GET /operator/api/prices/check'>;
export type PricePreviewView = AnswerOf<'GET /operator/api/prices/preview'>;
export type PriceDifference = PricePreviewView['largest_rises'][number];
export type Candidate = PriceCheckView['candidates'][number];

export const priceSettings = queryOptions({
  queryKey: ['prices', 'settings'],
  queryFn: () => get('/operator/api/prices'),
});

export const rules = (filter: Query) =>
  queryOptions({
    queryKey: ['prices', 'rules', filter],
    queryFn: () => get('/operator/api/prices/rules', filter),
  });

/** What a change would do. Never taken from the cache: prices, partners and the catalog change meanwhile. */
export const preview = (query: Query) =>
  queryOptions({
    queryKey: ['prices', 'preview', query],
    queryFn: () => get('/operator/api/prices/preview', query),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const priceCheck = (partner: string, product: string) =>
  queryOptions({
    queryKey: ['prices', 'check', partner, product],
    queryFn: () => get('/operator/api/prices/check', { partner, product }),
  });

export const partnersOffered = (q: string) =>
  queryOptions({
    queryKey: ['prices', 'partners', q],
    queryFn: () => get('/operator/api/prices/partners', { q }),
  });
