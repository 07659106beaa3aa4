import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

type Part = 'trial-balance' | 'proofs' | 'settlement' | 'settlement/preview' | 'payments';
type Money<P extends Part> = AnswerOf<`GET /operator/api/money/${P}`>;

export type TrialBalanceView = Money<'trial-balance'>;
export type ProofsView = Money<'proofs'>;
export type ProofView = ProofsView['latest'][number];
type SettlementView = Money<'settlement'>;
export type SettledView = SettlementView['settled'][number];
export type PreviewView = Money<'settlement/preview'>;
type PaymentsView = Money<'payments'>;
export type PaymentView = PaymentsView['payments'][number];

const money = <P extends Part>(part: P, query: Query = {}) =>
  queryOptions({
    queryKey: ['money', part, query],
    queryFn: () => get<`/operator/api/money/${Part}`>(`/operator/api/money/${part}`, query) as Promise<Money<P>>,
  });

export const trialBalance = (query: Query) => money('trial-balance', query);
export const proofs = money('proofs');
export const settlement = (query: Query) => money('settlement', query);
export const settlementPreview = money('settlement/preview');
export const payments = (query: Query) => money('payments', query);
export const statementMonths = (id: string) =>
  queryOptions({
    queryKey: ['money', `statements/${id}`, {}],
    queryFn: () => get('/operator/api/money/statements/{id}', { id }),
  });
export const statement = (id: string, month: string) =>
  queryOptions({
    queryKey: ['money', `statements/${id}/${month}`, {}],
    queryFn: () => get('/operator/api/money/statements/{id}/{month}', { id, month }),
  });
