import { queryOptions } from '@tanstack/react-query';
import { get, post } from './client.ts';

export interface Member {
  readonly id: number;
  readonly email: string;
  readonly invited_at: string;
  readonly last_sign_in_at: string | null;
  readonly accepted: boolean;
}

export const members = queryOptions({
  queryKey: ['members'],
  queryFn: () => get<{ members: Member[] }>('/api/members'),
});

export const invite = (email: string) => post<{ id: number; email: string; link: string }>('/api/members', { email });
export const removeMember = (id: number) => post(`/api/members/${id}/remove`);
