import { queryOptions } from '@tanstack/react-query';
import type { DestinationView, PlansView } from '../../../../src/entry/panel/catalog/catalog.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type { DestinationView, PlansView, PlanView } from '../../../../src/entry/panel/catalog/catalog.ts';

export interface PlanFilter {
  readonly destination?: string | undefined;
  readonly search?: string | undefined;
  readonly kind?: string | undefined;
  readonly reach?: string | undefined;
  readonly sort?: string | undefined;
  readonly page?: string | undefined;
}

export const destinations = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'catalog', 'destinations'],
    queryFn: () => get<{ destinations: readonly DestinationView[] }>(`/api/${mode}/catalog/destinations`),
    staleTime: 60_000,
  });

export const plans = (mode: Mode, query: PlanFilter) =>
  queryOptions({
    queryKey: [mode, 'catalog', 'plans', query],
    queryFn: () => get<PlansView>(`/api/${mode}/catalog/plans`, { ...query }),
  });

/** Every plan, with the retail prices. */
export const catalogFile = (mode: Mode, format: 'csv' | 'json'): string => `/api/${mode}/catalog/${format}`;
