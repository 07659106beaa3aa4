import { type Meaning, type Refusal, refusalOf } from '../connection.ts';

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
