import { exceeded, type LimitUse, limitValues } from '../../domains/sales/purchase/purchase.ts';
import { type Cents, formatCents, parseCents, toCents } from '../../platform/amounts/cents.ts';
import { limitBody } from '../../platform/contract/resources.ts';
import type { Confirmation } from './confirmation.ts';
import { type Agent, type Args, refused, type ToolAnswer } from './tool.ts';

/** A purchase as the API takes it, and the field for the most it may cost. */
export interface Sale {
  readonly path: string;
  readonly fields: Args;
  readonly ceiling: 'max_price' | 'max_total';
}

/** What it would cost now, each and all that are asked for. */
export async function quote(
  agent: Agent,
  { product_id = '', iccid, quantity = '1' }: Args,
): Promise<
  | { readonly no: ToolAnswer }
  | { readonly price: Cents; readonly prices: readonly Cents[]; readonly quoted: ToolAnswer['body'] }
> {
  const answer = await agent.api('/purchase/quote', { fields: { product_id, ...(iccid && { iccid }) } });
  if (answer.isError) return { no: answer };
  const each = parseCents(String(answer.body.partner_price)) as Cents;
  const prices = Array.from({ length: Number(quantity) }, () => each);
  return { price: toCents(each * BigInt(prices.length)), prices, quoted: answer.body };
}

/** What is left of the limits after a purchase, or why they refuse it. `left`: null if none of them is an amount over time. */
export async function withinLimits(
  { base, key, now }: Agent,
  prices: readonly Cents[],
): Promise<{ readonly no: ToolAnswer } | { readonly left: Cents | null }> {
  const { partnerId, keyId, limits, mode, aheadMs } = key;
  const at = new Date(now + aheadMs);
  const uses = await base.worlds[mode].checkout.limitUses({ partnerId, keyId, limits, at });
  const total = toCents(prices.reduce((sum, price) => sum + price, 0n));
  const over = exceeded(uses, prices);
  if (over) return { no: overLimit(total, over) };
  const left = uses.flatMap(({ per, amount, spent }) =>
    per === 'order' || amount === null ? [] : [toCents(amount - spent.amount - total)],
  );
  return { left: left.toSorted((a, b) => Number(a - b))[0] ?? null };
}

const overLimit = (price: Cents, limit: LimitUse): ToolAnswer =>
  refused('limit_exceeded', 'A limit on spending has no room for it.', {
    price_usd: formatCents(price),
    limit: limitBody(limitValues(limit)),
  });

/**
 * Buys what was confirmed, at the confirmed price or a lower one. The confirmation's id is the idempotency key, so a repeat finds
 * what was bought, also once the confirmation has expired.
 */
export async function purchase(agent: Agent, sale: Sale, agreed: Confirmation): Promise<ToolAnswer> {
  const { base, key, now } = agent;
  const { id, price, expiresAt } = agreed;
  // Whatever was bought, an order under this id is found: as the one asked for, or as a conflict.
  const target = { productId: '', refillOf: null };
  const isExpired = now >= expiresAt.getTime();
  if (isExpired && !(await base.worlds[key.mode].checkout.recorded(key.partnerId, id, target)))
    return refused('confirmation_expired', 'The price has to be confirmed again: call without a confirmation.');
  const ceiling = formatCents(price);
  const fields = { ...sale.fields, idempotency_key: id, [sale.ceiling]: ceiling };
  const answer = await agent.api(sale.path, { fields });
  if (answer.body.error !== 'price_changed') return answer;
  const { partner_price, total = partner_price } = answer.body;
  return refused('price_changed', 'Nothing was bought: the price has changed. Call again without a confirmation.', {
    agreed_usd: ceiling,
    price_usd: Number(total).toFixed(2),
  });
}
