import type { Called } from '../../../../platform/http/call.ts';
import {
  type Deadline,
  type JsonClient,
  type Meaning,
  openCalls,
  openPool,
  type Refusal,
  reasonOf,
  refusalOf,
} from '../connection.ts';
import { type Json, listOf, objectOf, parseJson, parseObject, textOf } from '../loose.ts';

export interface EsimGoClient extends JsonClient {
  /** `post` on a connection of its own: one that the other side is about to close would cost us the reply. */
  postAlone(path: string, payload: object, deadline: Deadline): Promise<Called>;
  put(path: string, payload: object, deadline: Deadline): Promise<Called>;
  delete(path: string, deadline: Deadline): Promise<Called>;
}

interface ClientParts {
  readonly url: URL;
  readonly key: string;
  readonly perSecond: number;
}

export function openClient({ url, key, perSecond }: ClientParts): EsimGoClient {
  const { send, pool } = openCalls({ url, perSecond });
  const alone = openPool(url, { connections: 4, pipelining: 0 });
  const headers = { 'x-api-key': key };
  const carrying = (method: 'POST' | 'PUT', path: string, payload: object) => {
    return { method, path, headers, body: JSON.stringify(payload) };
  };
  return {
    get: (path, deadline, limits) => send({ method: 'GET', path, headers }, deadline, limits),
    post: (path, payload, deadline) => send(carrying('POST', path, payload), deadline),
    postAlone: (path, payload, deadline) => send(carrying('POST', path, payload), deadline, {}, alone),
    put: (path, payload, deadline) => send(carrying('PUT', path, payload), deadline),
    delete: (path, deadline) => send({ method: 'DELETE', path, headers }, deadline),
    async close() {
      await Promise.all([pool.destroy(), alone.destroy()]);
    },
  };
}

/** A list in an answer: under its name, or bare, as some of the documents show it. */
export function listIn(text: string, name: string): readonly Json[] | undefined {
  const answer = parseJson(text);
  return listOf(Array.isArray(answer) ? answer : objectOf(answer)[name]);
}

type Answered = Extract<Called, { status: number }>;

/** eSIM Go has no error codes, and its texts are not published. */
const byStatus: Readonly<Record<number, Meaning>> = {
  400: { outcome: 'refused', reason: 'the order is refused' },
  401: { outcome: 'unavailable', reason: 'the key is refused', mend: true },
  403: { outcome: 'unavailable', reason: 'the key, our address or the eSIM is refused', mend: true },
  429: { outcome: 'unavailable', reason: 'too many calls' },
};

const noCredit: Meaning = { outcome: 'unavailable', reason: 'no credit left at eSIM Go', mend: true };
const ABOUT_MONEY = /balance|credit|funds/i;

/** What a rejected order means. After any other answer, or none, it may exist. */
export function readRefusal(called: Called, alarm: (reason: string) => void): Refusal {
  if ('failed' in called) return { outcome: called.sent ? 'unknown' : 'unavailable', ...reasonOf(called) };
  const { status } = called;
  const meaning = status === 400 && ABOUT_MONEY.test(messageOf(called)) ? noCredit : byStatus[status];
  return meaning ? refusalOf(meaning, `HTTP ${status}`, alarm) : { outcome: 'unknown', reason: `HTTP ${status}` };
}

/** The same of a call that has no effect: whatever came back, nothing was ordered. */
export function readTrial(called: Called, alarm: (reason: string) => void): Refusal {
  const refusal = readRefusal(called, alarm);
  return refusal.outcome === 'unknown' ? { ...refusal, outcome: 'unavailable' } : refusal;
}

/** Errors are JSON, or plain text from `POST /orders`. */
const messageOf = ({ text }: Answered): string => textOf(parseObject(text).message) ?? text;

/** Why a look-up brought nothing. */
export const noAnswer = (called: Called): { outcome: 'unavailable'; reason: string; silent?: true } =>
  'failed' in called
    ? { outcome: 'unavailable', ...reasonOf(called) }
    : { outcome: 'unavailable', reason: `HTTP ${called.status}` };
