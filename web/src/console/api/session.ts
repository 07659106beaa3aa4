import { queryOptions } from '@tanstack/react-query';
import { get, post, postToRead } from '../../parts/server/calls.ts';
import { andThen } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';
import { invitationBy, signInCalls } from '../../subjects/sign-in/calls.ts';

export const me = queryOptions({
  queryKey: ['operator'],
  queryFn: () => get('/operator/api/me'),
  staleTime: 5 * 60_000,
});

export const { signIn, passkeys, signOut, confirm, accept } = signInCalls('/operator/api');
export const invitation = invitationBy((token) => postToRead('/operator/api/welcome/show', { token }));

/** What the sign-in page can offer. */
export const signInOptions = queryOptions({
  queryKey: ['sign-in'],
  queryFn: () => get('/operator/api/sign-in'),
  staleTime: Number.POSITIVE_INFINITY,
});
export const startSso = (again: boolean) => post('/operator/api/sso/start', { again });
export const finishSso = (answer: string) => andThen(post('/operator/api/sso/finish', { answer }), notifyOtherTabs);
