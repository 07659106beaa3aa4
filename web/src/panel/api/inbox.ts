import { queryOptions } from '@tanstack/react-query';
import type { InboxView } from '../../../../src/entry/panel/account/inbox.ts';
import { get, post } from '../../parts/server/client.ts';

export type Inbox = InboxView;
interface InboxAnswer {
  readonly inbox: Inbox | null;
}

/** Polled often: the reader is waiting for events to arrive. */
const EVERY_MS = 2_000;

export const inbox = queryOptions({
  queryKey: ['sandbox', 'inbox'],
  queryFn: () => get<InboxAnswer>('/api/sandbox/inbox'),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state }) => (state.data?.inbox ? EVERY_MS : false),
});

export const openInbox = () => post<InboxAnswer>('/api/sandbox/inbox');
