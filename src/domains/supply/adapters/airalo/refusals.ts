import type { Called } from '../../../../platform/http/call.ts';
import type { OrderAnswer } from '../../port/port.ts';
import { numberOf, objectOf, parseObject } from '../loose.ts';

type Answered = Extract<Called, { status: number }>;
type Refusal = Extract<OrderAnswer, { outcome: 'refused' | 'unavailable' | 'unknown' }>;
/** `mend`: the operator has to fix something; the order itself is fine. */
type Meaning = Refusal & { readonly mend?: true };

/** Airalo's codes, in our words: text from the other side does not go into our log. */
const byCode: Readonly<Record<number, Meaning>> = {
  11: { outcome: 'unavailable', reason: 'no credit left at Airalo', mend: true },
  13: { outcome: 'unavailable', reason: 'the operator is under maintenance' },
  14: { outcome: 'unavailable', reason: 'the signature is refused', mend: true },
  23: { outcome: 'refused', reason: 'refills are disabled by the operator' },
  33: { outcome: 'unavailable', reason: 'not enough stock' },
  34: { outcome: 'refused', reason: 'package invalid or out of stock' },
  43: { outcome: 'refused', reason: 'bad request' },
  53: { outcome: 'unknown', reason: 'unexpected error' },
  73: { outcome: 'refused', reason: 'eSIM recycled' },
  89: { outcome: 'unavailable', reason: "our address is not on Airalo's list", mend: true },
};

const byStatus: Readonly<Record<number, Meaning>> = {
  401: { outcome: 'unavailable', reason: 'the token is refused', mend: true },
  403: { outcome: 'unavailable', reason: 'forbidden', mend: true },
  429: { outcome: 'unavailable', reason: 'too many calls' },
};

/** What a rejected order means. After an undocumented answer the order may exist. */
export function readRefusal(called: Answered, alarm: (reason: string) => void): Refusal {
  const { status } = called;
  const body = parseObject(called.text);
  const code = status === 422 || status === 403 ? numberOf(body.code) : null;
  const meaning = (code !== null && byCode[code]) || byStatus[status] || (status === 422 && fieldErrors(body.data));
  if (!meaning) return { outcome: 'unknown', reason: `HTTP ${status}${code === null ? '' : `, code ${code}`}` };
  const reason = `HTTP ${status}${code === null ? '' : `, code ${code}`}: ${meaning.reason}`;
  if (meaning.mend) alarm(reason);
  return { outcome: meaning.outcome, reason };
}

/** We always order one, so a complaint about the quantity alone means the stock has run out, and that is temporary. */
function fieldErrors(data: unknown): Meaning | undefined {
  const fields = Object.keys(objectOf(data)).filter((field) => /^\w{1,40}$/.test(field));
  if (fields.length === 0) return undefined;
  if (fields.join() === 'quantity') return { outcome: 'unavailable', reason: 'not enough stock' };
  return { outcome: 'refused', reason: `${fields.slice(0, 5).join(', ')} refused` };
}
