import { queryOptions } from '@tanstack/react-query';
import type { OperatorMeView } from '../../../../src/console/me.ts';
import type { OperatorInvitationView } from '../../../../src/console/sign-in.ts';
import { andThen, get, post, postToRead } from '../../parts/server/client.ts';
import { tellOtherTabs } from '../../parts/server/otherTabs.ts';
import type { Credentials } from '../../subjects/sign-in/SignInForm.tsx';

export const me = queryOptions({
  queryKey: ['operator'],
  queryFn: () => get<OperatorMeView>('/operator/api/me'),
  staleTime: 5 * 60_000,
});

export const signIn = (credentials: Credentials) => andThen(post('/operator/api/sign-in', credentials), tellOtherTabs);
export const signOut = () => andThen(post('/operator/api/sign-out'), tellOtherTabs);

/** Proves again who is at the keyboard. */
export const confirm = (given: { password: string; code?: string }) => post('/operator/api/confirm', given);

/** Posted although it only reads: the token stays out of addresses, which are logged. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['welcome'],
    queryFn: () => postToRead<OperatorInvitationView>('/operator/api/welcome/show', { token }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const accept = (wanted: { token: string; password: string; code?: string }) =>
  andThen(post('/operator/api/welcome', wanted), tellOtherTabs);
