import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';

export type HelpRequest = AnswerOf<'GET /api/{mode}/help-requests/{id}'>['request'];

export const helpKey = (mode: Mode) => [mode, 'help'];

export const helpRequests = (mode: Mode, query: { status?: string | undefined; before?: string | undefined }) =>
  queryOptions({
    queryKey: [...helpKey(mode), query],
    queryFn: () => get('/api/{mode}/help-requests', { ...query, mode }),
  });

export const helpRequest = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...helpKey(mode), id],
    queryFn: () => get('/api/{mode}/help-requests/{id}', { mode, id }),
  });

export const answerHelp = (mode: Mode, id: string, text: string) =>
  post('/api/{mode}/help-requests/{id}/answer', { mode, id }, { text });
export const closeHelp = (mode: Mode, id: string) => post('/api/{mode}/help-requests/{id}/close', { mode, id });
