import { queryOptions } from '@tanstack/react-query';
import type { BalanceAlert } from '../../../../src/actions/balance-alert.ts';
import type { MeView } from '../../../../src/panel/me.ts';
import type { InvitationView, SignInView } from '../../../../src/panel/sign-in.ts';
import { andThen, get, post, postToRead } from '../../parts/server/client.ts';
import { tellOtherTabs } from '../../parts/server/otherTabs.ts';
import type { Credentials } from '../../subjects/sign-in/SignInForm.tsx';

export const me = queryOptions({ queryKey: ['me'], queryFn: () => get<MeView>('/api/me'), staleTime: 5 * 60_000 });

export const signIn = (credentials: Credentials) => andThen(post('/api/sign-in', credentials), tellOtherTabs);
/** What the sign-in page can offer. */
export const signInOptions = queryOptions({
  queryKey: ['sign-in'],
  queryFn: () => get<SignInView>('/api/sign-in'),
  staleTime: Number.POSITIVE_INFINITY,
});
export const askForLink = (email: string) => post('/api/forgotten-password', { email });
export const signOut = () => andThen(post('/api/sign-out'), tellOtherTabs);
export const setBalanceAlert = (level: string) => post<BalanceAlert>('/api/balance-alert', { level });

/** Posted although it only reads: the token stays out of addresses, which are logged. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['welcome'],
    queryFn: () => postToRead<InvitationView>('/api/welcome/show', { token }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Proves again who is at the keyboard. */
export const confirm = (given: { password: string; code?: string }) => post('/api/confirm', given);

export const accept = (wanted: { token: string; password: string; code?: string }) =>
  andThen(post('/api/welcome', wanted), tellOtherTabs);
