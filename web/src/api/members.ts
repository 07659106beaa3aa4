import { queryOptions } from '@tanstack/react-query';
import type { InvitedView, MemberView } from '../../../src/panel/api/members.ts';
import { get, post } from './client.ts';

export type Member = MemberView;

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: () => get<{ members: Member[] }>('/api/members'),
});

export const invite = (email: string) => post<InvitedView>('/api/members', { email });
export const removeMember = (id: number) => post(`/api/members/${id}/remove`);
