import { queryOptions } from '@tanstack/react-query';
import type { PaymentsView } from '../../../../src/entry/console/money/payments.ts';
import type { ProofsView } from '../../../../src/entry/console/money/proof.ts';
import type { PreviewView, SettlementView } from '../../../../src/entry/console/money/settlement.ts';
import type { StatementMonths } from '../../../../src/entry/console/money/statements.ts';
import type { TrialBalanceView } from '../../../../src/entry/console/money/trial-balance.ts';
import type { MonthlyStatement } from '../../../../src/entry/site/views/statement.ts';
import { get, type Query } from '../../parts/server/client.ts';

export type { PaymentsView, PaymentView } from '../../../../src/entry/console/money/payments.ts';
export type { ProofsView, ProofView } from '../../../../src/entry/console/money/proof.ts';
export type { PreviewView, SettledView, SettlementView } from '../../../../src/entry/console/money/settlement.ts';
export type { TrialBalanceView } from '../../../../src/entry/console/money/trial-balance.ts';

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
