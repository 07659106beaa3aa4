import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, get, post } from '../../parts/server/calls.ts';

type At = '/api' | '/operator/api';
export type Passkey = AnswerOf<`GET ${At}/passkeys`>['passkeys'][number];
export type OpenSession = AnswerOf<`GET ${At}/sessions`>['sessions'][number];

/** Actions on one's own account: the same in the panel and in the console. */
export const ownAccount = (at: At) => ({
  secondFactor: queryOptions({
    queryKey: ['second-factor'],
    queryFn: () => get(`${at}/second-factor`),
  }),
  startSecondFactor: () => post(`${at}/second-factor/start`),
  turnOnSecondFactor: (code: string) => post(`${at}/second-factor/turn-on`, { code }),
  newRecoveryCodes: () => post(`${at}/second-factor/recovery-codes`),
  turnOffSecondFactor: () => post(`${at}/second-factor/turn-off`),
  passkeys: queryOptions({
    queryKey: ['passkeys'],
    queryFn: () => get(`${at}/passkeys`),
  }),
  startPasskey: () => post(`${at}/passkeys/start`),
  addPasskey: (made: BodyOf<`POST ${At}/passkeys`>) => post(`${at}/passkeys`, made),
  removePasskey: (id: string) => post(`${at}/passkeys/{id}/remove`, { id }),
  sessions: queryOptions({
    queryKey: ['sessions'],
    queryFn: () => get(`${at}/sessions`),
  }),
  endSession: (id: string) => post(`${at}/sessions/{id}/end`, { id }),
  endOtherSessions: () => post(`${at}/sessions/end-others`),
  changePassword: (change: BodyOf<`POST ${At}/password`>) => post(`${at}/password`, change),
});
export type OwnAccount = ReturnType<typeof ownAccount>;
