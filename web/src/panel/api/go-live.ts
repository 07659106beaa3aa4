import { queryOptions } from '@tanstack/react-query';
import type { LiveView } from '../../../../src/entry/panel/account/live-application.ts';
import { get, post } from '../../parts/server/client.ts';

export type LiveApplication = NonNullable<LiveView['application']>;

export const liveApplication = queryOptions({
  queryKey: ['live-application'],
  queryFn: () => get<LiveView>('/api/live-application'),
});

export const applyForLive = (typed: Readonly<Record<string, string>>) => post('/api/live-application', typed);
export const answerLive = (given: { version: number; answer: string }) => post('/api/live-application/answer', given);
