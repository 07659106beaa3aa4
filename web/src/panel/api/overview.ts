import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';

export type Overview = AnswerOf<'GET /api/{mode}/overview'>;

/** New orders, deliveries and notices show up by themselves. */
const EVERY_MS = 15_000;

/** Under the notices' query key, because it contains them: every change reads it again. */
export const overview = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'notices', 'overview'],
    queryFn: () => get('/api/{mode}/overview', { mode, tz: Intl.DateTimeFormat().resolvedOptions().timeZone ?? '' }),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
