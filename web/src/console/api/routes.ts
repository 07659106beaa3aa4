import { queryOptions } from '@tanstack/react-query';
import type { PlanRouteView, RoutesView } from '../../../../src/entry/console/catalog/routes.ts';
import { get, type Query } from '../../parts/server/client.ts';
import type { ActionResult } from './actions.ts';

export type RouteView = RoutesView['routes'][number];
export type { PlanRouteView, RoutesView };

/** What can be tried first. */
export type RouteAction = 'route set' | 'route clear' | 'route auto';
/** What a dry run answers. */
export type Tried = Extract<ActionResult<RouteAction>, { readonly preview: unknown }>;
export type Preview = Tried['preview'];

export const routes = (query: Query) =>
  queryOptions({
    queryKey: ['catalog', 'routes', query],
    queryFn: () => get<RoutesView>('/operator/api/routes', query),
  });

export const planRoute = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'route', id],
    queryFn: () => get<PlanRouteView>(`/operator/api/routes/${encodeURIComponent(id)}`),
  });
