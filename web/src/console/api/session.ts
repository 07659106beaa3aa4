import { queryOptions } from '@tanstack/react-query';
import { get, postToRead } from '../../parts/server/calls.ts';
import { invitationBy, signInCalls } from '../../subjects/sign-in/calls.ts';

export const me = queryOptions({
  queryKey: ['operator'],
  queryFn: () => get('/operator/api/me'),
  staleTime: 5 * 60_000,
});

export const { signIn, passkeys, signOut, confirm, accept } = signInCalls('/operator/api');
export const invitation = invitationBy((token) => postToRead('/operator/api/welcome/show', { token }));
