import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';
import type { ActionResult } from './actions.ts';

export type RoutesView = AnswerOf<'GET /operator/api/routes'>;
export type RouteView = RoutesView['routes'][number];
export type PlanRouteView = AnswerOf<'GET /operator/api/routes/{id}'>;

/** What can be tried first. */
export type RouteAction = 'route set' | 'route clear' | 'route auto';
/** What a dry run answers. */
export type Tried = Extract<ActionResult<RouteAction>, { readonly preview: unknown }>;
export type Preview = Tried['preview'];

export const routes = (query: Query) =>
  queryOptions({
    queryKey: ['catalog', 'routes', query],
    queryFn: () => get('/operator/api/routes', query),
  });

export const planRoute = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'route', id],
    queryFn: () => get('/operator/api/routes/{id}', { id }),
  });
