import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, post, postToRead } from '../../parts/server/calls.ts';
import { andThen } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';
import type { PasskeyAnswer } from '../passkeys/passkeys.ts';
import type { Credentials } from './SignInForm.tsx';

type At = '/api' | '/operator/api';

/** How people sign in and out of an application and confirm their identity. */
export const signInCalls = (at: At) => ({
  signIn: (credentials: Credentials) => andThen(post(`${at}/sign-in`, credentials), notifyOtherTabs),
  passkeys: {
    request: async () => (await postToRead(`${at}/passkeys/request`)).options,
    signIn: (passkey: PasskeyAnswer) => andThen(post(`${at}/sign-in/passkey`, { passkey }), notifyOtherTabs),
  },
  signOut: () => andThen(post(`${at}/sign-out`), notifyOtherTabs),
  /** Confirms the identity of the signed-in person. */
  confirm: (given: BodyOf<`POST ${At}/confirm`>) => post(`${at}/confirm`, given),
  accept: (wanted: BodyOf<`POST ${At}/welcome`>) => andThen(post(`${at}/welcome`, wanted), notifyOtherTabs),
});

/** What a link says about its holder. `read` posts although it only reads: the token stays out of addresses, which are logged. */
export const invitationBy =
  <Invited>(read: (token: string) => Promise<Invited>) =>
  (token: string) =>
    queryOptions({
      queryKey: ['welcome'],
      queryFn: () => read(token),
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    });

export type PasskeyCalls = ReturnType<typeof signInCalls>['passkeys'];
