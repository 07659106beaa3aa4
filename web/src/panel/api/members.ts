import { queryOptions } from '@tanstack/react-query';
import type { InvitedView } from '../../../../src/panel/members.ts';
import type { MemberView } from '../../../../src/site/views/member.ts';
import { get, post } from '../../parts/server/client.ts';

export type Member = MemberView;

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: () => get<{ members: Member[] }>('/api/members'),
});

export const invite = (wanted: Pick<Member, 'email' | 'role'>) => post<InvitedView>('/api/members', wanted);
export const inviteAgain = (id: number) => post<InvitedView>(`/api/members/${id}/invite-again`);
export const changeRole = ({ id, role }: Pick<Member, 'id' | 'role'>) => post(`/api/members/${id}/role`, { role });
export const removeMember = (id: number) => post(`/api/members/${id}/remove`);
