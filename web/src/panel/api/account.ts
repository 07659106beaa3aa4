import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import { ownAccount } from '../../subjects/account/account.ts';

/** The member's own password, second factor and sessions. */
export const own = ownAccount('/api');

export type Activity = AnswerOf<'GET /api/activity'>['entries'][number];

export const activity = (page: { readonly before: string | undefined; readonly limit: number }) =>
  queryOptions({
    queryKey: ['activity', page],
    queryFn: () => get('/api/activity', page),
  });
