import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';
import { andThen, type Query } from '../../parts/server/client.ts';
import { requireResult } from './actions.ts';

export type PlanRow = AnswerOf<'GET /operator/api/catalog'>['plans'][number];
export type PlanView = AnswerOf<'GET /operator/api/catalog/plans/{id}'>;
export type Source = AnswerOf<'GET /operator/api/catalog/sources'>['sources'][number];
export type PastImport = AnswerOf<'GET /operator/api/catalog/imports'>['imports'][number];
export type ImportCounts = NonNullable<PastImport['counts']>;

export const plans = (query: Query) =>
  queryOptions({
    queryKey: ['catalog', 'plans', query],
    queryFn: () => get('/operator/api/catalog', query),
  });

export const plan = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'plan', id],
    queryFn: () => get('/operator/api/catalog/plans/{id}', { id }),
  });

/** Destinations and suppliers, which rarely change. */
export const choices = queryOptions({
  queryKey: ['catalog', 'choices'],
  queryFn: () => get('/operator/api/catalog/choices'),
  staleTime: 60_000,
});

export const sources = queryOptions({
  queryKey: ['catalog', 'sources'],
  queryFn: () => get('/operator/api/catalog/sources'),
});

export const imports = (query: Query) =>
  queryOptions({
    queryKey: ['catalog', 'imports', query],
    queryFn: () => get('/operator/api/catalog/imports', query),
  });

/** Sends the text of a price list. */
export const importFile = (text: string, input: { 'dry-run'?: boolean; yes?: boolean }) =>
  andThen(post('/operator/api/catalog/import', { input, text }), requireResult);
