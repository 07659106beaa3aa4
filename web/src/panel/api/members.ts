import { queryOptions } from '@tanstack/react-query';
import type { MemberView } from '../../../../src/entry/site/views/records.ts';
import { get, post } from '../../parts/server/client.ts';
import type { MemberCalls } from '../../subjects/people/MemberActions.tsx';

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: () => get<{ members: MemberView[] }>('/api/members'),
});

export const memberCalls: MemberCalls = {
  touches: members.queryKey,
  invite: (wanted) => post('/api/members', wanted),
  inviteAgain: ({ id }) => post(`/api/members/${id}/invite-again`),
  changeRole: ({ id, role }) => post(`/api/members/${id}/role`, { role }),
  remove: ({ id }) => post(`/api/members/${id}/remove`),
};
