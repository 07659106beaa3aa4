import { queryOptions } from '@tanstack/react-query';
import type { BalanceAlert } from '../../../../src/actions/partners/partner.ts';
import type { MeView } from '../../../../src/entry/panel/account/me.ts';
import type { InvitationView, SignInView } from '../../../../src/entry/panel/account/sign-in.ts';
import { get, post } from '../../parts/server/client.ts';
import { signInCalls } from '../../subjects/sign-in/calls.ts';

export const me = queryOptions({ queryKey: ['me'], queryFn: () => get<MeView>('/api/me'), staleTime: 5 * 60_000 });

export const { signIn, signOut, confirm, invitation, accept } = signInCalls<InvitationView>('/api');

/** What the sign-in page can offer. */
export const signInOptions = queryOptions({
  queryKey: ['sign-in'],
  queryFn: () => get<SignInView>('/api/sign-in'),
  staleTime: Number.POSITIVE_INFINITY,
});
export const askForLink = (email: string) => post('/api/forgotten-password', { email });
export const setBalanceAlert = (level: string) => post<BalanceAlert>('/api/balance-alert', { level });
