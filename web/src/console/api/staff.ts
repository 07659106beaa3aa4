import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import { ownAccount } from '../../subjects/account/account.ts';

export type Operator = AnswerOf<'GET /operator/api/operators'>['operators'][number];

export const operators = queryOptions({
  queryKey: ['operators'],
  queryFn: () => get('/operator/api/operators'),
});

/** The operator's own password, second factor and sessions. */
export const own = ownAccount('/operator/api');

export type SingleSignOn = AnswerOf<'GET /operator/api/single-sign-on'>;

export const singleSignOn = queryOptions({
  queryKey: ['single-sign-on'],
  queryFn: () => get('/operator/api/single-sign-on'),
});
