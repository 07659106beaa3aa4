import { queryOptions } from '@tanstack/react-query';
import { andThen, post, postToRead } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';
import type { Credentials } from './SignInForm.tsx';

/** How people get in and out of an application, and prove again who they are. `Invited` is what a link says about itself. */
export const signInCalls = <Invited>(at: '/api' | '/operator/api') => ({
  signIn: (credentials: Credentials) => andThen(post(`${at}/sign-in`, credentials), notifyOtherTabs),
  signOut: () => andThen(post(`${at}/sign-out`), notifyOtherTabs),
  /** Proves again who is at the keyboard. */
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
