import { queryOptions } from '@tanstack/react-query';
import type { ApplicationsView, ApplicationView } from '../../../../src/entry/console/partners/applications.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type Application = ApplicationView;

export const APPLICATIONS = ['applications'] as const;

export const applications = (sought: Query) =>
  queryOptions({
    queryKey: [...APPLICATIONS, 'list', sought],
    queryFn: () => get<ApplicationsView>('/operator/api/applications', sought),
  });

export const application = (id: string) =>
  queryOptions({
    queryKey: [...APPLICATIONS, id],
    queryFn: () => get<{ application: Application }>(`/operator/api/applications/${encodeURIComponent(id)}`),
  });
