import { queryOptions } from '@tanstack/react-query';
import { get, post, postToRead } from '../../parts/server/calls.ts';
import { invitationBy, signInCalls } from '../../subjects/sign-in/calls.ts';

export const me = queryOptions({ queryKey: ['me'], queryFn: () => get('/api/me'), staleTime: 5 * 60_000 });

export const { signIn, passkeys, signOut, confirm, accept } = signInCalls('/api');
export const invitation = invitationBy((token) => postToRead('/api/welcome/show', { token }));

/** What the sign-in page can offer. */
export const signInOptions = queryOptions({
  queryKey: ['sign-in'],
  queryFn: () => get('/api/sign-in'),
  staleTime: Number.POSITIVE_INFINITY,
});
export const askForLink = (email: string) => post('/api/forgotten-password', { email });
export const setBalanceAlert = (level: string) => post('/api/balance-alert', { level });
