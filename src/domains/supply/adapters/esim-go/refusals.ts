import type { Called } from '../../../../platform/http/call.ts';
import { type Meaning, type Refusal, reasonOf, refusalOf } from '../connection.ts';
import { parseObject, textOf } from '../loose.ts';

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
