import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

export type { HomeAlert, HomePart } from '../../../../src/entry/console/home.ts';
export type SalesView = AnswerOf<'GET /operator/api/figures'>;
export type { SalesRow } from '../../../../src/entry/console/money/figures.ts';

export const home = queryOptions({
  queryKey: ['home'],
  queryFn: () => get('/operator/api/home'),
  refetchInterval: 30_000,
});

/** What happened while the operator was away; colleagues go on working. */
export const since = queryOptions({
  queryKey: ['home', 'since'],
  queryFn: () => get('/operator/api/home/since'),
  refetchInterval: 60_000,
});

export const figures = (query: Query) =>
  queryOptions({
    queryKey: ['figures', query],
    queryFn: () => get('/operator/api/figures', query),
  });
