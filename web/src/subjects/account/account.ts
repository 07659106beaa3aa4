import { queryOptions } from '@tanstack/react-query';
import type {
  RecoveryCodesView,
  SecondFactorView,
  SessionView,
  SetupView,
} from '../../../../src/entry/site/json/account-security.ts';
import { get, post } from '../../parts/server/client.ts';

/** Operators are signed in at no partner. */
export type OpenSession = Omit<SessionView, 'partner_name'> & Partial<Pick<SessionView, 'partner_name'>>;

/** Actions on one's own account: the same in the panel and in the console. */
export const ownAccount = (at: '/api' | '/operator/api') => ({
  secondFactor: queryOptions({
    queryKey: ['second-factor'],
    queryFn: () => get<SecondFactorView>(`${at}/second-factor`),
  }),
  startSecondFactor: () => post<SetupView>(`${at}/second-factor/start`),
  turnOnSecondFactor: (code: string) => post<RecoveryCodesView>(`${at}/second-factor/turn-on`, { code }),
  newRecoveryCodes: () => post<RecoveryCodesView>(`${at}/second-factor/recovery-codes`),
  turnOffSecondFactor: () => post(`${at}/second-factor/turn-off`),
  sessions: queryOptions({
    queryKey: ['sessions'],
    queryFn: () => get<{ sessions: OpenSession[] }>(`${at}/sessions`),
  }),
  endSession: (id: string) => post(`${at}/sessions/${id}/end`),
  endOtherSessions: () => post(`${at}/sessions/end-others`),
  changePassword: (change: { current: string; password: string }) => post(`${at}/password`, change),
});
export type OwnAccount = ReturnType<typeof ownAccount>;
