import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';

export type Incident = AnswerOf<'GET /operator/api/incidents'>['incidents'][number];
export type ImpactName = Incident['impact'];
export type PartName = Incident['parts'][number];
export type IncidentStatusName = Incident['status'];

export const incidentsKey = ['operator', 'incidents'] as const;
export const incidents = queryOptions({
  queryKey: incidentsKey,
  queryFn: () => get('/operator/api/incidents'),
});
