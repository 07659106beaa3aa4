import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, post, postToRead } from '../../parts/server/calls.ts';
import { andThen } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';

export const signUp = (typed: BodyOf<'POST /api/sign-up'>) => post('/api/sign-up', typed);

/** Posted although it only reads: the token stays out of addresses, which are logged. */
export const signUpLink = (token: string) =>
  queryOptions({
    queryKey: ['sign-up'],
    queryFn: () => postToRead('/api/sign-up/show', { token }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const confirmSignUp = (token: string) => post('/api/sign-up/confirm', { token });
export const answerSignUp = (given: BodyOf<'POST /api/sign-up/answer'>) => post('/api/sign-up/answer', given);
export const acceptSignUp = (given: BodyOf<'POST /api/sign-up/accept'>) =>
  andThen(post('/api/sign-up/accept', given), (opened) => {
    notifyOtherTabs();
    return opened;
  });

/** The first purchase, with the new key and through the same checks as any API call. */
export const buyFirst = (key: string, fields: Readonly<Record<string, string>>) =>
  andThen(post('/api/sandbox/try', { key, path: '/purchase/buy', fields }), ({ status, body }) => ({
    status,
    body,
    said: JSON.parse(body) as { readonly id?: string; readonly delivery?: string },
  }));
