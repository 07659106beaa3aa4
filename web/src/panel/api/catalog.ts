import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, address, get } from '../../parts/server/calls.ts';

export type DestinationView = AnswerOf<'GET /api/{mode}/catalog/destinations'>['destinations'][number];
type PlansView = AnswerOf<'GET /api/{mode}/catalog/plans'>;
export type PlanView = PlansView['plans'][number];

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
    queryFn: () => get('/api/{mode}/catalog/destinations', { mode }),
    staleTime: 60_000,
  });

export const plans = (mode: Mode, query: PlanFilter) =>
  queryOptions({
    queryKey: [mode, 'catalog', 'plans', query],
    queryFn: () => get('/api/{mode}/catalog/plans', { ...query, mode }),
  });

/** Every plan, with the retail prices. */
export const catalogFile = (mode: Mode, format: 'csv' | 'json'): string =>
  address(`/api/{mode}/catalog/${format}`, { mode });
