import { queryOptions } from '@tanstack/react-query';
import type {
  PartnersOfferedView,
  PriceCheckView,
  PricePreviewView,
  PriceSettingsView,
  RulesView,
} from '../../../../src/entry/console/catalog/prices.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type Rule = RulesView['rules'][number];
export type SupplierMarkup = PriceSettingsView['suppliers'][number];
export type { PriceCheckView, PricePreviewView };
export type PriceDifference = PricePreviewView['largest_rises'][number];
export type Candidate = PriceCheckView['candidates'][number];

export const priceSettings = queryOptions({
  queryKey: ['prices', 'settings'],
  queryFn: () => get<PriceSettingsView>('/operator/api/prices'),
});

export const rules = (filter: Query) =>
  queryOptions({
    queryKey: ['prices', 'rules', filter],
    queryFn: () => get<RulesView>('/operator/api/prices/rules', filter),
  });

/** What a change would do. Never taken from the cache: prices, partners and the catalog change meanwhile. */
export const preview = (query: Query) =>
  queryOptions({
    queryKey: ['prices', 'preview', query],
    queryFn: () => get<PricePreviewView>('/operator/api/prices/preview', query),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const priceCheck = (partner: string, product: string) =>
  queryOptions({
    queryKey: ['prices', 'check', partner, product],
    queryFn: () => get<PriceCheckView>('/operator/api/prices/check', { partner, product }),
  });

export const partnersOffered = (q: string) =>
  queryOptions({
    queryKey: ['prices', 'partners', q],
    queryFn: () => get<PartnersOfferedView>('/operator/api/prices/partners', { q }),
  });
