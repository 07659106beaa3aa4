import { queryOptions } from '@tanstack/react-query';
import type { NoticesView } from '../../../../src/entry/panel/account/notices.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type Notices = NoticesView;

/** Balances change and receivers fail in the background, so the notices are polled. */
const EVERY_MS = 15_000;

export const notices = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'notices'],
    queryFn: () => get<Notices>(`/api/${mode}/notices`),
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
