import { queryOptions } from '@tanstack/react-query';
import type { OperatorMeView } from '../../../../src/console/me.ts';
import { get, post } from '../../api/client.ts';
import { tellOtherTabs } from '../../otherTabs.ts';

export const me = queryOptions({
  queryKey: ['operator'],
  queryFn: () => get<OperatorMeView>('/operator/api/me'),
  staleTime: 5 * 60_000,
});

export const signOut = () => post('/operator/api/sign-out').then(tellOtherTabs);

/** Proves again who is at the keyboard. */
export const confirm = (given: { password: string; code?: string }) => post('/operator/api/confirm', given);
