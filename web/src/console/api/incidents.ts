import { queryOptions } from '@tanstack/react-query';
import type { IncidentsView, IncidentView } from '../../../../src/entry/console/system/incidents.ts';
import { get } from '../../parts/server/client.ts';

export type Incident = IncidentView;
export type ImpactName = IncidentView['impact'];
export type PartName = IncidentView['parts'][number];
export type IncidentStatusName = IncidentView['status'];

export const incidentsKey = ['operator', 'incidents'] as const;
export const incidents = queryOptions({
  queryKey: incidentsKey,
  queryFn: () => get<IncidentsView>('/operator/api/incidents'),
});
