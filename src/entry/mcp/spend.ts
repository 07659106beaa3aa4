import {
  type Ended,
  endPurchase,
  reservePurchase,
  type SpendingLimit,
  spentBy,
  unendedPurchases,
} from '../../domains/partners/keys/keys.ts';
import { type Cents, formatCents, parseCents, toCents } from '../../platform/amounts/cents.ts';
import { CONFIRMATION_MS, type Confirmation } from './confirmation.ts';
import { type Agent, type Args, refused, type ToolAnswer } from './tool.ts';

/** A purchase as the API takes it, and what the tool was called with. */
export interface Sale {
  readonly path: string;
  readonly fields: Args;
  readonly args: Args;
}

/** What it would cost now, for as many as are asked for. */
export async function quote(
  agent: Agent,
  { product_id = '', iccid, quantity = '1' }: Args,
): Promise<{ readonly no: ToolAnswer } | { readonly price: Cents; readonly quoted: ToolAnswer['body'] }> {
  const answer = await agent.api('/purchase/quote', { fields: { product_id, ...(iccid && { iccid }) } });
  if (answer.isError) return { no: answer };
  const each = parseCents(String(answer.body.partner_price)) as Cents;
  return { price: toCents(each * BigInt(quantity)), quoted: answer.body };
}

/** The key's limit, and what it has spent of it in the current period. */
export async function spendingOf({ base, key, now }: Agent): Promise<{ limit: SpendingLimit; spent: Cents }> {
  const { keyId, spending: limit } = key;
  if (!limit) throw new Error('tools that buy are for keys with a spending limit');
  return { limit, spent: await spentBy(base.db, keyId, limit.period, new Date(now)) };
}

/** The same from both calls of a purchase. */
export const overLimit = (price: Cents, spent: Cents, { amount, period }: SpendingLimit): ToolAnswer =>
  refused('spending_limit_exceeded', "The price is above what is left of the key's spending limit.", {
    price_usd: formatCents(price),
    spent_usd: formatCents(spent),
    limit_usd: formatCents(amount),
    period,
  });

/**
 * Buys what was confirmed, at the confirmed price or not at all. The price is counted towards the key's limit first and charged
 * afterwards, under the confirmation's id as the idempotency key. If the process is killed in between, the price keeps counting
 * until the same confirmation is sent again or, once that has expired, `endForgotten` looks for the order.
 */
export async function purchase(agent: Agent, sale: Sale, agreed: Confirmation): Promise<ToolAnswer> {
  const { db } = agent.base;
  const { id, price, expiresAt } = agreed;
  const { keyId } = agent.key;
  await endForgotten(agent);
  const reserved = await reservePurchase(db, { id, keyId, price, at: new Date(agent.now), expiresAt });
  switch (reserved.outcome) {
    case 'charged':
      return replayed(agent, sale, id);
    case 'expired':
      return refused('confirmation_expired', 'The price has to be confirmed again: call without a confirmation.');
    case 'in_progress':
      return refused('purchase_in_progress', 'Another call is buying it. Repeat this call in a moment.');
    case 'no_limit':
      return refused('spending_limit_required', 'This key may not spend anything through these tools.');
    case 'over_limit':
      return overLimit(price, reserved.spent, reserved.limit);
  }
  let ended: Ended = 'unknown';
  try {
    const answer = await agent.api(sale.path, { fields: { ...sale.fields, idempotency_key: id }, agreedPrice: price });
    ended = endOf(answer, reserved.isNew);
    return answer.body.error === 'charge_in_progress' ? await whyNot(agent, sale.args, price, answer) : answer;
  } finally {
    await endPurchase(db, id, ended);
  }
}

/** No plan has this price, so with it a purchase is replayed but never made. */
const NEVER = toCents(-1n);

/**
 * What was bought with a confirmation before. Nothing is bought with it again, even where a reset of the sandbox has deleted the
 * order and freed its idempotency key.
 */
async function replayed(agent: Agent, { path, fields }: Sale, id: string): Promise<ToolAnswer> {
  const answer = await agent.api(path, { fields: { ...fields, idempotency_key: id }, agreedPrice: NEVER });
  if (answer.body.error !== 'charge_in_progress') return answer;
  return refused('confirmation_used', 'This confirmation was used before. To buy again, call without a confirmation.');
}

/**
 * Whether it was charged. A refusal answers that only for this try: after an earlier one it stays open, as it does after a failure
 * on our side.
 */
function endOf({ isError, body }: ToolAnswer, isNew: boolean): Ended {
  // The second is a batch of which no order could be charged.
  if (!isError) return body.delivery === 'failed' || body.charged === 0 ? 'not_charged' : 'charged';
  const isRefusal = Number(body.code) < 500 && body.error !== 'charge_incomplete';
  return isNew && isRefusal ? 'not_charged' : 'unknown';
}

/** The API refuses a purchase whose price is no longer the agreed one like one that has to be tried again. */
async function whyNot(agent: Agent, args: Args, agreed: Cents, answer: ToolAnswer) {
  const quoted = await quote(agent, args);
  if ('no' in quoted || quoted.price === agreed) return answer;
  return refused('price_changed', 'Nothing was bought: the price has changed. Call again without a confirmation.', {
    agreed_usd: formatCents(agreed),
    price_usd: formatCents(quoted.price),
  });
}

/** Ends the purchases that a killed process left behind: they count if there is an order under their id. */
export async function endForgotten({ base, key, now }: Agent): Promise<void> {
  const { checkout } = base.worlds[key.mode];
  for (const id of await unendedPurchases(base.db, key.keyId, new Date(now), CONFIRMATION_MS)) {
    // Whatever was bought, an order under this id is found: as the one asked for, or as a conflict.
    const found = await checkout.recorded(key.partnerId, id, { productId: '', refillOf: null });
    await endPurchase(base.db, id, found ? 'charged' : 'not_charged');
  }
}
