import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, get, post } from '../../parts/server/calls.ts';

export type LiveApplication = NonNullable<AnswerOf<'GET /api/live-application'>['application']>;

export const liveApplication = queryOptions({
  queryKey: ['live-application'],
  queryFn: () => get('/api/live-application'),
});

export type LiveForm = BodyOf<'POST /api/live-application'>;
export const applyForLive = (typed: LiveForm) => post('/api/live-application', typed);
export const answerLive = (given: BodyOf<'POST /api/live-application/answer'>) =>
  post('/api/live-application/answer', given);
