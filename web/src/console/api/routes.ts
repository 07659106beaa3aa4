import { queryOptions } from '@tanstack/react-query';
import type { RoutePreview } from '../../../../src/domains/supply/routes/preview.ts';
import type { PlanRouteView, RoutesView } from '../../../../src/entry/console/catalog/routes.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type ShownRoute = RoutesView['routes'][number];
export type { PlanRouteView, RoutesView };

/** As it arrives: numbers of orders and times are text. */
export type Preview = Omit<RoutePreview, 'examples'> & {
  readonly examples: readonly (Omit<RoutePreview['examples'][number], 'order_id' | 'at'> & {
    readonly order_id: number | string;
    readonly at: string;
  })[];
};

/** What a dry run answers. */
export interface Tried {
  /** Missing when the change is about many plans. */
  readonly route?: ShownRoute | null;
  readonly preview: Preview;
}

export const routes = (sought: Query) =>
  queryOptions({
    queryKey: ['catalog', 'routes', sought],
    queryFn: () => get<RoutesView>('/operator/api/routes', sought),
  });

export const planRoute = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'route', id],
    queryFn: () => get<PlanRouteView>(`/operator/api/routes/${encodeURIComponent(id)}`),
  });
