import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';

export type Inbox = NonNullable<AnswerOf<'GET /api/sandbox/inbox'>['inbox']>;

/** Polled often: the reader is waiting for events to arrive. */
const EVERY_MS = 2_000;

export const inbox = queryOptions({
  queryKey: ['sandbox', 'inbox'],
  queryFn: () => get('/api/sandbox/inbox'),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state }) => (state.data?.inbox ? EVERY_MS : false),
});

export const openInbox = () => post('/api/sandbox/inbox');
