import { queryOptions } from '@tanstack/react-query';
import { get, post } from '../../parts/server/calls.ts';
import type { MemberCalls } from '../../subjects/people/MemberActions.tsx';

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: () => get('/api/members'),
});

export const memberCalls: MemberCalls = {
  touches: members.queryKey,
  invite: (wanted) => post('/api/members', wanted),
  inviteAgain: ({ id }) => post('/api/members/{id}/invite-again', { id }),
  changeRole: ({ id, role }) => post('/api/members/{id}/role', { id }, { role }),
  remove: ({ id }) => post('/api/members/{id}/remove', { id }),
};
