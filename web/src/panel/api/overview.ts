import { queryOptions } from '@tanstack/react-query';
import type { OverviewView } from '../../../../src/entry/panel/insight/overview.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type Overview = OverviewView;

/** New orders, deliveries and what needs somebody show up by themselves. */
const EVERY_MS = 15_000;

/** Named like the notices it holds, so that every change reads it again. */
export const overview = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'notices', 'overview'],
    queryFn: () =>
      get<Overview>(`/api/${mode}/overview`, { tz: Intl.DateTimeFormat().resolvedOptions().timeZone ?? '' }),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
