import { queryOptions } from '@tanstack/react-query';
import type { OperatorMeView } from '../../../../src/entry/console/my-account.ts';
import type { OperatorInvitationView } from '../../../../src/entry/console/operators-only.ts';
import { get } from '../../parts/server/client.ts';
import { signInCalls } from '../../subjects/sign-in/calls.ts';

export const me = queryOptions({
  queryKey: ['operator'],
  queryFn: () => get<OperatorMeView>('/operator/api/me'),
  staleTime: 5 * 60_000,
});

export const { signIn, signOut, confirm, invitation, accept } = signInCalls<OperatorInvitationView>('/operator/api');
