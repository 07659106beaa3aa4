import { queryOptions } from '@tanstack/react-query';
import type { ChoicesView, PlansView, PlanView } from '../../../../src/entry/console/catalog/catalog.ts';
import type { FileImported, ImportsView, SourcesView } from '../../../../src/entry/console/catalog/imports.ts';
import { andThen, get, post, type Query } from '../../parts/server/client.ts';
import { type Answered, requireResult } from './actions.ts';

export type PlanRow = PlansView['plans'][number];
export type Source = SourcesView['sources'][number];
export type PastImport = ImportsView['imports'][number];
export type ImportCounts = NonNullable<PastImport['counts']>;
export type { PlanView };

export const plans = (query: Query) =>
  queryOptions({
    queryKey: ['catalog', 'plans', query],
    queryFn: () => get<PlansView>('/operator/api/catalog', query),
  });

export const plan = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'plan', id],
    queryFn: () => get<PlanView>(`/operator/api/catalog/plans/${encodeURIComponent(id)}`),
  });

/** Destinations and suppliers, which rarely change. */
export const choices = queryOptions({
  queryKey: ['catalog', 'choices'],
  queryFn: () => get<ChoicesView>('/operator/api/catalog/choices'),
  staleTime: 60_000,
});

export const sources = queryOptions({
  queryKey: ['catalog', 'sources'],
  queryFn: () => get<SourcesView>('/operator/api/catalog/sources'),
});

export const imports = (query: Query) =>
  queryOptions({
    queryKey: ['catalog', 'imports', query],
    queryFn: () => get<ImportsView>('/operator/api/catalog/imports', query),
  });

/** Sends the text of a price list. */
export const importFile = (text: string, input: { 'dry-run'?: boolean; yes?: boolean }) =>
  andThen(post<Answered<FileImported>>('/operator/api/catalog/import', { input, text }), requireResult);
