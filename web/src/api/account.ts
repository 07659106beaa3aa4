import { queryOptions } from '@tanstack/react-query';
import type { ActivityView } from '../../../src/panel/api/activity.ts';
import type { RecoveryCodesView, SecondFactorView, SetupView } from '../../../src/panel/api/second-factor.ts';
import type { SessionView } from '../../../src/panel/api/sessions.ts';
import { get, post } from './client.ts';

export type OpenSession = SessionView;
export type Activity = ActivityView;

export const secondFactor = queryOptions({
  queryKey: ['second-factor'],
  queryFn: () => get<SecondFactorView>('/api/second-factor'),
});
export const startSecondFactor = () => post<SetupView>('/api/second-factor/start');
export const turnOnSecondFactor = (code: string) => post<RecoveryCodesView>('/api/second-factor/turn-on', { code });
export const newRecoveryCodes = () => post<RecoveryCodesView>('/api/second-factor/recovery-codes');
export const turnOffSecondFactor = () => post('/api/second-factor/turn-off');

export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => get<{ sessions: OpenSession[] }>('/api/sessions'),
});
export const endSession = (id: string) => post(`/api/sessions/${id}/end`);
export const endOtherSessions = () => post('/api/sessions/end-others');

export const activity = (before: string | undefined) =>
  queryOptions({
    queryKey: ['activity', before],
    queryFn: () => get<{ entries: Activity[]; has_more: boolean }>('/api/activity', { before }),
  });
