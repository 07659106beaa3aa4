import { createHash } from 'node:crypto';
import { formatCents, parseCents } from '../../../platform/amounts/cents.ts';
import { type ErrorCode, errors } from '../../../platform/contract/errors.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { AnswerParts } from '../../api/gates/answer.ts';
import { callAsMember } from '../../api/gates/inner-call.ts';
import { requireMode, shortText } from '../../site/json/action.ts';
import { type MemberAction, type MemberCall, memberAction } from '../member-action.ts';
import { callerOf } from '../v3.ts';

const body = Type.Object(
  {
    product_id: shortText,
    /** Set: a refill of this eSIM. */
    iccid: Type.Optional(shortText),
    reference: Type.Optional(shortText),
    /** What the person was shown and confirmed. */
    price: shortText,
  },
  { additionalProperties: false },
);

/**
 * Buying in the panel, through the API's own `purchase/buy` and `purchase/refill`. The form's key becomes the purchase's
 * idempotency key, so a repeat finds the order even where a killed process left no answer. The audit log gets its entry with the
 * charge. If the price differs from the confirmed one, nothing is bought.
 */
export const purchaseActions = (parts: AnswerParts): MemberAction[] => [
  memberAction({
    verb: 'POST',
    path: '/api/{mode}/purchases',
    may: 'buy',
    // It counts towards the purchase limit of its world.
    tier: 'none',
    body,
    async handle(call, { price, ...wanted }) {
      const mode = requireMode(call);
      const agreedPrice = parseCents(price);
      if (agreedPrice === undefined || agreedPrice <= 0n) throw new Refused('invalid_amount');
      const made = await bought(parts, call, mode, { ...wanted, agreedPrice });
      return { body: { order_id: made.id, delivery: made.delivery, balance: made.balance } };
    },
  }),
];

interface Wanted {
  readonly product_id: string;
  readonly iccid?: string;
  readonly reference?: string;
  readonly agreedPrice: NonNullable<ReturnType<typeof parseCents>>;
}

/** The part of the API's answer the panel passes on. */
interface Made {
  readonly id: string;
  readonly delivery: 'delivered' | 'deferred' | 'failed';
  readonly balance: number;
}

async function bought(parts: AnswerParts, call: MemberCall, mode: Mode, wanted: Wanted): Promise<Made> {
  const { product_id, iccid, reference = '', agreedPrice } = wanted;
  const { address, now } = call;
  const caller = callerOf(call, mode);
  const fields = { product_id, ...(iccid !== undefined && { iccid }), ...(reference !== '' && { reference }) };
  const path = iccid === undefined ? '/purchase/buy' : '/purchase/refill';
  const buyer = { who: call.actor.who, after: { mode, product_id, iccid, price: formatCents(agreedPrice) } };
  const purchase = { path, fields: { ...fields, idempotency_key: keyOf(call) }, address, now, agreedPrice, buyer };
  const { body } = await callAsMember(parts, caller, purchase);
  const answer = JSON.parse(String(body));
  if (answer.result === 'ok') return answer;
  // A purchase at another price than the agreed one is refused like one that has to be tried again.
  if (answer.error === 'charge_in_progress') {
    const sought = { path: '/purchase/quote', fields, address, now };
    const quoted = JSON.parse(String((await callAsMember(parts, caller, sought)).body));
    const current = quoted.result === 'ok' ? parseCents(String(quoted.partner_price)) : agreedPrice;
    if (current !== agreedPrice) throw new Refused('price_changed');
  }
  throw refusalOf(answer);
}

function refusalOf({ error, retry_after }: { readonly error: ErrorCode; readonly retry_after?: number }): Refused {
  if (error === 'rate_limited') return new TooManyAttempts(Number(retry_after));
  return new Refused('purchase_refused', errors[error].meaning.replaceAll('`', ''));
}

/** Names the member, so that the order itself says who bought it. */
function keyOf({ member, key = '' }: MemberCall): string {
  const form = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `panel-${member.memberId}-${form}`;
}
