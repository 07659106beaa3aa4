import { WayfareConnectionError, WayfareError } from '../../../../../sdk/src/wayfare.ts';
import { bigIdIn } from '../../../../platform/contract/ids.ts';
import type { Failed } from '../../../../platform/http/call.ts';
import { reasonOf } from '../connection.ts';
import { NoAnswer } from './client.ts';

/** Why a call got no answer, or a refusal. */
export type Trouble =
  /** The service refused it with a code of the contract. */
  { readonly code: string; readonly status: number; readonly orderId: string | null } | Failed;

/** Reads what the SDK threw. Text from the other side does not go into our log: codes are words of the contract. */
export function troubleOf(thrown: unknown): Trouble {
  if (thrown instanceof WayfareError) {
    const code = /^[a-z0-9_]{1,60}$/.test(thrown.code) ? thrown.code : 'an unknown code';
    const { order_id } = thrown.body as { order_id?: unknown };
    const orderId = bigIdIn(String(order_id))?.toString() ?? null;
    return { code, status: thrown.httpStatus, orderId };
  }
  if (thrown instanceof WayfareConnectionError) {
    if (thrown.cause instanceof NoAnswer) return thrown.cause.failed;
    if (thrown.httpStatus !== undefined) return { failed: `HTTP ${thrown.httpStatus}`, sent: true, answered: true };
    return { failed: 'time-out', sent: true };
  }
  return { failed: 'an unreadable answer', sent: true, answered: true };
}

export const troubleText = (trouble: Trouble): string => ('failed' in trouble ? trouble.failed : trouble.code);

export type Refusal =
  | { readonly outcome: 'refused' | 'unavailable' | 'unknown'; readonly reason: string; readonly silent?: true }
  /** Our account there cannot pay. What was sent is on record as failed, so its key is used up. */
  | { readonly outcome: 'no_credit'; readonly reason: string }
  /** Their charge stopped half-way: the order exists, and a person there has to repair it. */
  | { readonly outcome: 'stuck'; readonly reason: string; readonly orderId: string | null };

/** `mend`: the operator has to fix something; the order itself is fine. */
type Meaning = { readonly outcome: Refusal['outcome']; readonly reason: string; readonly mend?: true };

const mend = (reason: string): Meaning => ({ outcome: 'unavailable', reason, mend: true });
const refused = (reason: string): Meaning => ({ outcome: 'refused', reason });
const noCredit: Meaning = { outcome: 'no_credit', reason: 'our account there cannot pay for it', mend: true };

const byCode: Readonly<Record<string, Meaning>> = {
  product_not_found: refused('the plan is not on sale there'),
  invalid_product: refused('no such plan'),
  invalid_price: refused('the plan has no price there'),
  invalid_partner_price: refused('the plan has no price there'),
  esim_not_found: refused('no such eSIM'),
  invalid_refill: refused('the plan cannot be added to this eSIM'),
  insufficient_balance: noCredit,
  credit_limit_exceeded: noCredit,
  credit_charge_failed: noCredit,
  partner_account_suspended: mend('our account there is suspended'),
  idempotency_key_conflict: mend('our reference belongs to another order there'),
  sale_insert_failed: { outcome: 'unavailable', reason: 'they could not record it' },
  charge_in_progress: { outcome: 'unknown', reason: 'they are still charging it' },
  charge_incomplete: {
    outcome: 'stuck',
    reason: 'their charge stopped half-way: somebody there has to repair it',
    mend: true,
  },
};

const byStatus: Readonly<Record<number, Meaning>> = {
  400: mend('they do not understand the request'),
  401: mend('our key is refused'),
  403: mend('our account or address is refused'),
  404: mend('there is no such endpoint: check the address'),
  405: mend('there is no such endpoint: check the address'),
  429: { outcome: 'unavailable', reason: 'too many calls' },
};

/** What a purchase without an order means. After anything the contract does not define, the order may exist. */
export function readRefusal(trouble: Trouble, alarm: (reason: string) => void): Refusal {
  if ('failed' in trouble) {
    const isRefusedUpFront = trouble.failed === 'HTTP 429';
    return { outcome: trouble.sent && !isRefusedUpFront ? 'unknown' : 'unavailable', ...reasonOf(trouble) };
  }
  const { code, status, orderId } = trouble;
  const meaning = byCode[code] ?? byStatus[status];
  if (!meaning) return { outcome: 'unknown', reason: `${status} ${code}` };
  const reason = `${status} ${code}: ${meaning.reason}`;
  if (meaning.mend) alarm(orderId === null ? reason : `${reason} (their order ${orderId})`);
  if (meaning.outcome === 'stuck') return { outcome: 'stuck', reason, orderId };
  return { outcome: meaning.outcome, reason };
}
