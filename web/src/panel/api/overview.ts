import { queryOptions } from '@tanstack/react-query';
import type { OverviewView } from '../../../../src/entry/panel/insight/overview.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type Overview = OverviewView;

/** New orders, deliveries and notices show up by themselves. */
const EVERY_MS = 15_000;

/** Under the notices' query key, because it contains them: every change reads it again. */
export const overview = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'notices', 'overview'],
    queryFn: () =>
      get<Overview>(`/api/${mode}/overview`, { tz: Intl.DateTimeFormat().resolvedOptions().timeZone ?? '' }),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
