import { queryOptions } from '@tanstack/react-query';
import type { ProposalsView, ProposalView } from '../../../../src/entry/console/proposals.ts';
import { get, post } from '../../parts/server/client.ts';

export type Proposal = ProposalView;

export const proposals = queryOptions({
  queryKey: ['proposals'],
  queryFn: () => get<ProposalsView>('/operator/api/proposals'),
});

export const approveProposal = (id: number) => post<object>(`/operator/api/proposals/${id}/approve`);
export const rejectProposal = (id: number, reason: string) =>
  post<object>(`/operator/api/proposals/${id}/reject`, { reason });
