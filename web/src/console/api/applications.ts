import { queryOptions } from '@tanstack/react-query';
import type { ApplicationsView, ApplicationView } from '../../../../src/entry/console/partners/applications.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type Application = ApplicationView;

export const APPLICATIONS = ['applications'] as const;

export const applications = (query: Query) =>
  queryOptions({
    queryKey: [...APPLICATIONS, 'list', query],
    queryFn: () => get<ApplicationsView>('/operator/api/applications', query),
  });

export const application = (id: string) =>
  queryOptions({
    queryKey: [...APPLICATIONS, id],
    queryFn: () => get<{ application: Application }>(`/operator/api/applications/${encodeURIComponent(id)}`),
  });
