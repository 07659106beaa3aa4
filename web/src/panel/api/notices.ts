import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';

export type Notices = AnswerOf<'GET /api/{mode}/notices'>;

/** Balances change and receivers fail in the background, so the notices are polled. */
const EVERY_MS = 15_000;

export const notices = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'notices'],
    queryFn: () => get('/api/{mode}/notices', { mode }),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
