import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

export type ApplicationView = AnswerOf<'GET /operator/api/applications/{id}'>;
export type Application = ApplicationView['application'];

export const APPLICATIONS = ['applications'] as const;

export const applications = (query: Query) =>
  queryOptions({
    queryKey: [...APPLICATIONS, 'list', query],
    queryFn: () => get('/operator/api/applications', query),
  });

export const application = (id: string) =>
  queryOptions({
    queryKey: [...APPLICATIONS, id],
    queryFn: () => get('/operator/api/applications/{id}', { id }),
  });
