import { queryOptions } from '@tanstack/react-query';
import { andThen, post, postToRead } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';
import type { Credentials } from './SignInForm.tsx';

/** How people sign in and out of an application and confirm their identity. `Invited` describes a link. */
export const signInCalls = <Invited>(at: '/api' | '/operator/api') => ({
  signIn: (credentials: Credentials) => andThen(post(`${at}/sign-in`, credentials), notifyOtherTabs),
  signOut: () => andThen(post(`${at}/sign-out`), notifyOtherTabs),
  /** Confirms the identity of the signed-in person. */
  confirm: (given: { password: string; code?: string }) => post(`${at}/confirm`, given),
  /** Posted although it only reads: the token stays out of addresses, which are logged. */
  invitation: (token: string) =>
    queryOptions({
      queryKey: ['welcome'],
      queryFn: () => postToRead<Invited>(`${at}/welcome/show`, { token }),
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  accept: (wanted: { token: string; password: string; code?: string }) =>
    andThen(post(`${at}/welcome`, wanted), notifyOtherTabs),
});
