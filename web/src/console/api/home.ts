import { queryOptions } from '@tanstack/react-query';
import type { HomeView } from '../../../../src/entry/console/home.ts';
import type { SalesView } from '../../../../src/entry/console/money/figures.ts';
import type { SinceLastVisitView } from '../../../../src/entry/console/since-last-visit.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type { HomeAlert, HomePart, HomeView } from '../../../../src/entry/console/home.ts';
export type { SalesRow, SalesView } from '../../../../src/entry/console/money/figures.ts';

export const home = queryOptions({
  queryKey: ['home'],
  queryFn: () => get<HomeView>('/operator/api/home'),
  refetchInterval: 30_000,
});

/** What happened while the operator was away; colleagues go on working. */
export const since = queryOptions({
  queryKey: ['home', 'since'],
  queryFn: () => get<SinceLastVisitView>('/operator/api/home/since'),
  refetchInterval: 60_000,
});

export const figures = (query: Query) =>
  queryOptions({
    queryKey: ['figures', query],
    queryFn: () => get<SalesView>('/operator/api/figures', query),
  });
