import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';

export type Proposal = AnswerOf<'GET /operator/api/proposals'>['proposals'][number];

export const proposals = queryOptions({
  queryKey: ['proposals'],
  queryFn: () => get('/operator/api/proposals'),
});

export const approveProposal = (id: number) => post('/operator/api/proposals/{id}/approve', { id });
export const rejectProposal = (id: number, reason: string) =>
  post('/operator/api/proposals/{id}/reject', { id }, { reason });
