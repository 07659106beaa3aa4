import { createHash } from 'node:crypto';
import { type OrderSummary, shownStateOf } from '../../../domains/sales/order-lists/order-lists.ts';
import { type Cents, formatCents, parseCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { isBeingHandled } from '../../../platform/audit/action-keys.ts';
import { type ErrorCode, errors } from '../../../platform/contract/errors.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { type Static, Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { MOST_ESIMS } from '../../api/endpoints/purchase/batch.ts';
import type { AnswerParts } from '../../api/gates/answer.ts';
import { callAsMember } from '../../api/gates/inner-call.ts';
import { jsonOf, requireMode, shortText } from '../../site/json/action.ts';
import { type MemberCall, memberChange, memberRead } from '../member-action.ts';
import { quotaOf } from '../members-only.ts';
import { callerOf } from '../v3.ts';

const body = Type.Object(
  {
    product_id: shortText,
    /** Set: a refill of this eSIM. */
    iccid: Type.Optional(shortText),
    reference: Type.Optional(shortText),
    /** More than one: a batch, charged as a whole or not at all. */
    quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ESIMS })),
    /** The price of one that the person was shown and confirmed. */
    max_price: shortText,
  },
  { additionalProperties: false },
);

/**
 * Buying in the panel, through the API's own `purchase/buy`, `purchase/refill` and, for several eSIMs, `purchase/batch`. The form's key becomes the purchase's
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
      return { body: { ...made } };
    },
  }),
];

/** What became of a purchase whose answer a page did not get, by the key it was sent with. */
export const purchaseReads = ({ db, clock, worlds }: Base) => [
  memberRead('/api/{mode}/purchases', {
    may: 'buy',
    async read(call) {
      const key = call.query('key');
      const { orders } = worlds[requireMode(call)];
      // Asked first: what ends between the two questions has left its order for the second.
      const is_running = await isBeingHandled({ db, clock }, String(quotaOf(call)), key);
      const order = await orders.underKey(call.member.partnerId, keyOf(call, key));
      return { is_running, order: order ? placedView(order) : null };
    },
  }),
];

const placedView = (order: OrderSummary) => ({
  ...jsonOf(order, 'id', 'batchId'),
  state: shownStateOf(order),
  /** Of a batch, for the first one. */
  charged: formatCents(order.paidAt === null ? ZERO : order.salePrice),
});

type Wanted = Omit<Static<typeof body>, 'max_price'> & { readonly maxPrice: Cents };

/** The part of the API's answer the panel passes on. */
interface Made {
  /** Of a batch, the first. */
  readonly order_id: string;
  /** Null: of a batch, whose orders are delivered one by one. */
  readonly delivery: 'delivered' | 'deferred' | 'failed' | null;
  readonly batch_id: string | null;
}

async function bought(parts: AnswerParts, call: MemberCall, mode: Mode, wanted: Wanted): Promise<Made> {
  const { product_id, iccid, reference = '', quantity = 1 } = wanted;
  if (iccid !== undefined && quantity > 1) throw new Refused('invalid_input', 'an eSIM is refilled once at a time');
  const max_price = formatCents(wanted.maxPrice);
  const { address, now } = call;
  const caller = callerOf(call, mode);
  const of = { product_id, ...(reference !== '' && { reference }) };
  const idempotency_key = keyOf(call, call.key);
  const one = { ...of, ...(iccid !== undefined && { iccid }), max_price, idempotency_key };
  const several = {
    items: JSON.stringify([{ ...of, quantity }]),
    max_total: formatCents(toCents(wanted.maxPrice * BigInt(quantity))),
    idempotency_key,
  };
  const [path, fields] =
    quantity > 1
      ? (['/purchase/batch', several] as const)
      : ([iccid === undefined ? '/purchase/buy' : '/purchase/refill', one] as const);
  const buyer = { who: call.actor.who, after: { mode, product_id, iccid, price: max_price } };
  const { body } = await callAsMember(parts, caller, { path, fields, address, now, buyer });
  const answer = JSON.parse(String(body));
  if (answer.result === 'ok')
    return quantity > 1
      ? { order_id: String(answer.orders[0].id), delivery: null, batch_id: String(answer.batch_id) }
      : { order_id: answer.id, delivery: answer.delivery, batch_id: null };
  throw refusalOf(answer);
}

function refusalOf({ error, retry_after }: { readonly error: ErrorCode; readonly retry_after?: number }): Refused {
  if (error === 'rate_limited') return new TooManyAttempts(Number(retry_after));
  // The page shows what they are about: the new quote, the limits with their use.
  if (error === 'price_changed' || error === 'limit_exceeded') return new Refused(error);
  return new Refused('purchase_refused', errors[error].meaning.replaceAll('`', ''));
}

/** Names the member, so that the order itself says who bought it. */
function keyOf({ member }: MemberCall, key = ''): string {
  const form = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `panel-${member.memberId}-${form}`;
}
