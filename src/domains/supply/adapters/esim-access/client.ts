import { createHmac, randomUUID } from 'node:crypto';
import { type Micros, toMicros } from '../../../../platform/amounts/cents.ts';
import type { Clock } from '../../../../platform/clock.ts';
import type { CallLimits } from '../../../../platform/http/call.ts';
import { type Deadline, type Meaning, openCalls, type Refusal, reasonOf, refusalOf } from '../connection.ts';
import { numberOf, objectOf, parseObject, textOf, wholeNumber } from '../loose.ts';

/** What eSIM Access answered. Refusals come as HTTP 200, too. */
type Answer =
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

interface ClientParts {
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

export interface EsimAccessCredentials {
  readonly accessCode: string;
  readonly secret: string;
}

/** The headers of a signed request. The signature covers its time, its id, the access code and the exact bytes of the body. */
export function signedHeaders(
  { accessCode, secret }: EsimAccessCredentials,
  sent: { readonly timestamp: string; readonly requestId: string; readonly body: string },
): Record<string, string> {
  const { timestamp, requestId, body } = sent;
  const signature = createHmac('sha256', secret)
    .update(timestamp + requestId + accessCode + body)
    .digest('hex');
  return {
    'rt-accesscode': accessCode,
    'rt-timestamp': timestamp,
    'rt-requestid': requestId,
    'rt-signature': signature,
  };
}

const notOrdered = (reason: string, mend?: true): Meaning => ({
  outcome: 'unavailable',
  reason,
  ...(mend && { mend }),
});
const refused = (reason: string, mend?: true): Meaning => ({ outcome: 'refused', reason, ...(mend && { mend }) });

const byCode: Readonly<Record<string, Meaning>> = {
  '000101': notOrdered('a header is missing', true),
  '000102': notOrdered('a header is malformed', true),
  '000105': refused('a field is missing'),
  '000106': refused('a field is empty'),
  '000107': refused('a field is too long'),
  '101001': notOrdered('our clock differs too much', true),
  '101002': notOrdered('our address is blocked', true),
  '101003': notOrdered('the signature is refused', true),
  '200002': refused('the state of the eSIM does not allow it'),
  // The cost we calculated with is gone. At the new one we might pay more than the buyer did.
  '200005': refused('the price has changed: import the list again', true),
  '200006': refused('the total has changed: import the list again', true),
  '200007': notOrdered('no credit left at eSIM Access', true),
  '200008': refused('the order is refused'),
  '200011': notOrdered('no profiles left'),
  '310403': refused('no such eSIM'),
  '900001': notOrdered('busy'),
  'HTTP 401': notOrdered('the access code is refused', true),
  'HTTP 403': notOrdered('forbidden', true),
  'HTTP 429': notOrdered('too many calls'),
};

/** 3102xx: unknown plan, location, currency or carrier. */
export const UNKNOWN_PLAN = /^3102\d\d$/;

/** What a rejected order means. After an undocumented code the order may exist. */
export function readRefusal(code: string, alarm: (reason: string) => void): Refusal {
  const meaning = byCode[code] ?? (UNKNOWN_PLAN.test(code) ? refused('no such plan') : undefined);
  return meaning ? refusalOf(meaning, `code ${code}`, alarm) : { outcome: 'unknown', reason: `code ${code}` };
}

/** Their unit of money, a ten-thousandth of a dollar. */
export const MICROS_PER_UNIT = 100n;

/** An amount in their unit; null when it is missing or negative. */
export function microsOfUnits(value: unknown): Micros | null {
  const units = numberOf(value);
  return units === null || units < 0 ? null : toMicros(wholeNumber(units) * MICROS_PER_UNIT);
}

/** A cost as the price we expect, which they check; undefined when it is unknown or finer than their unit. */
export const unitsOf = (cost: Micros): number | undefined =>
  cost > 0n && cost % MICROS_PER_UNIT === 0n ? Number(cost / MICROS_PER_UNIT) : undefined;
