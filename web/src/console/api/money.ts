import { queryOptions } from '@tanstack/react-query';
import type { PaymentsView } from '../../../../src/console/payments.ts';
import type { ProofsView } from '../../../../src/console/proof.ts';
import type { PreviewView, SettlementView } from '../../../../src/console/settlement.ts';
import type { StatementMonths } from '../../../../src/console/statements.ts';
import type { TrialBalanceView } from '../../../../src/console/trial-balance.ts';
import type { MonthlyStatement } from '../../../../src/site/views/statement.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type { PaymentsView, PaymentView } from '../../../../src/console/payments.ts';
export type { ProofsView, ProofView } from '../../../../src/console/proof.ts';
export type { PreviewView, SettledView, SettlementView } from '../../../../src/console/settlement.ts';
export type { TrialBalanceView } from '../../../../src/console/trial-balance.ts';

const money = <T>(about: string, query: Query = {}) =>
  queryOptions({
    queryKey: ['money', about, query],
    queryFn: () => get<T>(`/operator/api/money/${about}`, query),
  });

export const trialBalance = (query: Query) => money<TrialBalanceView>('trial-balance', query);
export const proofs = money<ProofsView>('proofs');
export const settlement = (query: Query) => money<SettlementView>('settlement', query);
export const settlementPreview = money<PreviewView>('settlement/preview');
export const payments = (query: Query) => money<PaymentsView>('payments', query);
export const statementMonths = (partnerId: string) => money<StatementMonths>(`statements/${partnerId}`);
export const statement = (partnerId: string, month: string) =>
  money<MonthlyStatement>(`statements/${partnerId}/${month}`);
