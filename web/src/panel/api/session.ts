import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, get, post, postToRead } from '../../parts/server/calls.ts';
import { andThen } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';
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
export const startSso = (where: BodyOf<'POST /api/sso/start'>) => post('/api/sso/start', where);
export const finishSso = (account: number, answer: string) =>
  andThen(post('/api/sso/finish', { account, answer }), notifyOtherTabs);
