import { createHash } from 'node:crypto';
import { type Cents, formatCents, parseCents } from '../../../platform/amounts/cents.ts';
import { type ErrorCode, errors } from '../../../platform/contract/errors.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { type Static, Type } from '../../../platform/contract/schema.ts';
import type { AnswerParts } from '../../api/gates/answer.ts';
import { callAsMember } from '../../api/gates/inner-call.ts';
import { requireMode, shortText } from '../../site/json/action.ts';
import { type MemberCall, memberChange } from '../member-action.ts';
import { callerOf } from '../v3.ts';

const body = Type.Object(
  {
    product_id: shortText,
    /** Set: a refill of this eSIM. */
    iccid: Type.Optional(shortText),
    reference: Type.Optional(shortText),
    /** The price the person was shown and confirmed. */
    max_price: shortText,
  },
  { additionalProperties: false },
);

/**
 * Buying in the panel, through the API's own `purchase/buy` and `purchase/refill`. The form's key becomes the purchase's
 * idempotency key, so a repeat finds the order even where a killed process left no answer. The audit log gets its entry with the
 * charge. If the price is above the confirmed one, nothing is bought.
 */
export const purchaseActions = (parts: AnswerParts) => [
  memberChange('/api/{mode}/purchases', {
    may: 'buy',
    // It counts towards the purchase limit of its world.
    tier: 'none',
    body,
    async handle(call, { max_price, ...wanted }) {
      const mode = requireMode(call);
      const maxPrice = parseCents(max_price);
      if (maxPrice === undefined || maxPrice <= 0n) throw new Refused('invalid_amount');
      const made = await bought(parts, call, mode, { ...wanted, maxPrice });
      return { body: { order_id: made.id, delivery: made.delivery, balance: made.balance } };
    },
  }),
];

type Wanted = Omit<Static<typeof body>, 'max_price'> & { readonly maxPrice: Cents };

/** The part of the API's answer the panel passes on. */
interface Made {
  readonly id: string;
  readonly delivery: 'delivered' | 'deferred' | 'failed';
  readonly balance: number;
}

async function bought(parts: AnswerParts, call: MemberCall, mode: Mode, wanted: Wanted): Promise<Made> {
  const { product_id, iccid, reference = '' } = wanted;
  const max_price = formatCents(wanted.maxPrice);
  const { address, now } = call;
  const caller = callerOf(call, mode);
  const fields = {
    product_id,
    ...(iccid !== undefined && { iccid }),
    ...(reference !== '' && { reference }),
    max_price,
    idempotency_key: keyOf(call),
  };
  const path = iccid === undefined ? '/purchase/buy' : '/purchase/refill';
  const buyer = { who: call.actor.who, after: { mode, product_id, iccid, price: max_price } };
  const { body } = await callAsMember(parts, caller, { path, fields, address, now, buyer });
  const answer = JSON.parse(String(body));
  if (answer.result === 'ok') return answer;
  throw refusalOf(answer);
}

function refusalOf({ error, retry_after }: { readonly error: ErrorCode; readonly retry_after?: number }): Refused {
  if (error === 'rate_limited') return new TooManyAttempts(Number(retry_after));
  // The page shows what they are about: the new quote, the limits with their use.
  if (error === 'price_changed' || error === 'limit_exceeded') return new Refused(error);
  return new Refused('purchase_refused', errors[error].meaning.replaceAll('`', ''));
}

/** Names the member, so that the order itself says who bought it. */
function keyOf({ member, key = '' }: MemberCall): string {
  const form = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `panel-${member.memberId}-${form}`;
}
