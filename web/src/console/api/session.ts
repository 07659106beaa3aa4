import { queryOptions } from '@tanstack/react-query';
import type { OperatorMeView } from '../../../../src/entry/console/me.ts';
import type { OperatorInvitationView } from '../../../../src/entry/console/sign-in.ts';
import { get } from '../../parts/server/client.ts';
import { signInCalls } from '../../subjects/sign-in/calls.ts';

export const me = queryOptions({
  queryKey: ['operator'],
  queryFn: () => get<OperatorMeView>('/operator/api/me'),
  staleTime: 5 * 60_000,
});

export const { signIn, signOut, confirm, invitation, accept } = signInCalls<OperatorInvitationView>('/operator/api');
