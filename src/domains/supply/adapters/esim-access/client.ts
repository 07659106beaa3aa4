import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../platform/clock.ts';
import type { CallLimits } from '../../../../platform/http/call.ts';
import { openCalls, reasonOf } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { objectOf, parseObject, textOf } from '../loose.ts';
import { type EsimAccessCredentials, signedHeaders } from './signature.ts';

/** What eSIM Access answered. Refusals come as HTTP 200, too. */
export type Answer =
  | { readonly said: 'yes'; readonly obj: unknown }
  /** Its own six-digit code, or the HTTP status. */
  | { readonly said: 'no'; readonly code: string }
  /** Something that is not one of its documented answers. */
  | { readonly said: 'nonsense'; readonly reason: string }
  /** `sent`: the request may have arrived. Without `silent` the call was never made. */
  | { readonly said: 'nothing'; readonly reason: string; readonly sent: boolean; readonly silent?: true };

export interface EsimAccessClient {
  post(path: string, payload: object, deadline: Deadline, limits?: CallLimits): Promise<Answer>;
  close(): Promise<void>;
}

export interface ClientParts {
  readonly url: URL;
  readonly credentials: EsimAccessCredentials;
  readonly clock: Clock;
  readonly perSecond: number;
}

export function openClient({ url, credentials, clock, perSecond }: ClientParts): EsimAccessClient {
  const { send, close } = openCalls({ url, perSecond });
  return {
    async post(path, payload, deadline, limits) {
      const body = JSON.stringify(payload);
      const signed = () => signedHeaders(credentials, { timestamp: `${clock.now()}`, requestId: randomUUID(), body });
      const called = await send(() => ({ method: 'POST', path, headers: signed(), body }), deadline, limits);
      if ('failed' in called) return { said: 'nothing', sent: called.sent, ...reasonOf(called) };
      if (called.status !== 200) return { said: 'no', code: `HTTP ${called.status}` };
      const { success, errorCode, obj } = parseObject(called.text);
      if (success === true || success === 'true') return { said: 'yes', obj: obj ?? {} };
      const code = textOf(errorCode);
      if ((success !== false && success !== 'false') || code === null)
        return { said: 'nonsense', reason: 'HTTP 200 without an answer' };
      return { said: 'no', code: code.padStart(6, '0') };
    },
    close,
  };
}

/** A list in an answer: under its name, or bare, as some of the documents' examples show it. */
export const listIn = (obj: unknown, name: string): unknown => (Array.isArray(obj) ? obj : objectOf(obj)[name]);

/** Why there is no answer, in the port's terms. */
export const whyNot = (answer: Exclude<Answer, { said: 'yes' | 'no' }>): { reason: string; silent?: true } =>
  answer.said === 'nothing' && answer.silent ? { reason: answer.reason, silent: true } : { reason: answer.reason };
