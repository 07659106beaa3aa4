import { exceeded, type LimitUse, limitValues } from '../../domains/sales/purchase/purchase.ts';
import { type Cents, centsToNumber, formatCents, parseCents, toCents } from '../../platform/amounts/cents.ts';
import type { ErrorCode } from '../../platform/contract/errors.ts';
import { limitBody } from '../../platform/contract/resources.ts';
import { Type } from '../../platform/contract/schema.ts';
import { cancel } from '../api/endpoints/order/cancel.ts';
import { refund } from '../api/endpoints/order/refund.ts';
import { batch, MOST_ESIMS } from '../api/endpoints/purchase/batch.ts';
import { buy } from '../api/endpoints/purchase/buy.ts';
import { scriptFields } from '../api/endpoints/purchase/fields.ts';
import { refill } from '../api/endpoints/purchase/refill.ts';
import { withoutActivation } from './read-tools.ts';
import { type Agent, type Args, type Input, refused, type Tool, type ToolAnswer, words } from './tool.ts';
import { buying, type Confirmation, cancelling, type Offer, refunding, twoSteps } from './two-steps.ts';

/** A purchase as the API takes it, and the field for the most it may cost. */
interface Sale {
  readonly path: string;
  readonly fields: Args;
  readonly ceiling: 'max_price' | 'max_total';
}

async function quote(
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
async function withinLimits(
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
async function purchase(agent: Agent, sale: Sale, agreed: Confirmation): Promise<ToolAnswer> {
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

const productFrom = (tool: string) => ({
  schema: Type.String({ description: `The product, from ${tool}.` }),
  required: true,
});
const quantity = {
  schema: Type.Integer({ description: `How many eSIMs, 1 to ${MOST_ESIMS}.` }),
  required: true,
};
const isQuantity = ({ quantity = '' }: Args): boolean =>
  /^[1-9]\d{0,2}$/.test(quantity) && Number(quantity) <= MOST_ESIMS;
const notAQuantity = Promise.resolve({
  no: refused('invalid_items', `The quantity must be a whole number from 1 to ${MOST_ESIMS}.`),
});
const iccid = { schema: Type.String({ description: 'The eSIM to refill.' }), required: true };
const reference = words('Your own reference for the order, e.g. a booking number.');

/** In the sandbox, the outcome of the order and the usage of its eSIM. */
const scripted = (field: keyof typeof scriptFields, description: string): Input => ({
  [field]: { schema: { ...scriptFields[field].schema, description }, required: false },
});
const scenario = scripted(
  'sandbox_scenario',
  'Rehearses an outcome. A deferred order is delivered by the first read after 60 seconds.',
);
const usage = scripted('sandbox_usage', 'What the usage of the eSIM will show.');

async function quoted(agent: Agent, args: Args): Promise<Offer> {
  const found = await quote(agent, args);
  if ('no' in found) return found;
  const { price, prices } = found;
  const { product_title, available, billing_mode, blocked_by } = found.quoted;
  const shortage = billing_mode === 'postpaid' ? 'credit_limit_exceeded' : 'insufficient_balance';
  const isLimited = blocked_by === 'limit_exceeded' || blocked_by === '';
  const limits = isLimited ? await withinLimits(agent, prices) : { left: null };
  if ('no' in limits) return limits;
  const blocked: ErrorCode | '' = blocked_by || (centsToNumber(price) > available ? shortage : '');
  if (blocked) return { no: refused(blocked, 'It cannot be bought now.', { price_usd: formatCents(price) }) };
  return {
    amount: price,
    facts: {
      product_title,
      livemode: agent.key.mode === 'live',
      spending_left_after_usd: limits.left === null ? null : formatCents(limits.left),
    },
  };
}

const order_id = { schema: Type.Integer({ description: 'The order.' }), required: true };

/** Asks for the price of an order back, unless that was asked before. */
const givingBack = (field: 'refund' | 'cancel', asked: string) => ({
  async offer(agent: Agent, args: Args): Promise<Offer> {
    const answer = await agent.api('/order/detail', { param: args.order_id ?? '' });
    if (answer.isError) return { no: answer };
    const { order, [field]: earlier } = answer.body;
    if (earlier) return { no: refused('already_asked', asked, { [field]: earlier }) };
    const paid_with = agent.key.mode === 'live' ? 'real money' : 'the play money of the sandbox';
    return { amount: parseCents(order.sale_price) as Cents, facts: { product_title: order.product_title, paid_with } };
  },
});

export const writeTools: readonly Tool[] = [
  twoSteps({
    name: 'buy_esim',
    title: 'Buy an eSIM',
    description: 'Buys an eSIM from the wallet or on the credit line.',
    kind: buying,
    endpoint: buy,
    input: { product_id: productFrom('search_catalog'), reference },
    sandboxInput: { ...scenario, ...usage },
    offer: quoted,
    question: (usd) => `This buys the eSIM for ${usd} USD. Shall I?`,
    carryOut: (agent, args, agreed) =>
      purchase(agent, { path: '/purchase/buy', fields: args, ceiling: 'max_price' }, agreed),
  }),
  twoSteps({
    name: 'buy_esims',
    title: 'Buy several eSIMs',
    description: `Buys 1 to ${MOST_ESIMS} eSIMs of one plan with one charge: all of them or none. Read their activation data with get_order.`,
    kind: buying,
    endpoint: batch,
    input: { product_id: productFrom('search_catalog'), quantity, reference },
    sandboxInput: scenario,
    offer: (agent, args) => (isQuantity(args) ? quoted(agent, args) : notAQuantity),
    question: (usd) => `This buys the eSIMs for ${usd} USD in all. Shall I?`,
    async carryOut(agent, args, agreed) {
      const { product_id, quantity, reference, ...script } = args;
      const items = JSON.stringify([{ product_id, quantity: Number(quantity), reference }]);
      const sale = { path: '/purchase/batch', fields: { items, ...script }, ceiling: 'max_total' } as const;
      const answer = await purchase(agent, sale, agreed);
      return { ...answer, body: withoutActivation(answer.body) };
    },
  }),
  twoSteps({
    name: 'refill_esim',
    title: 'Refill an eSIM',
    description: 'Adds data and days to an eSIM, paid like a purchase.',
    kind: buying,
    endpoint: refill,
    input: { iccid, product_id: productFrom('list_refills'), reference },
    sandboxInput: scenario,
    offer: quoted,
    question: (usd) => `This refills the eSIM for ${usd} USD. Shall I?`,
    carryOut: (agent, args, agreed) =>
      purchase(agent, { path: '/purchase/refill', fields: args, ceiling: 'max_price' }, agreed),
  }),
  twoSteps({
    name: 'refund_order',
    title: 'Refund an order',
    description: 'Returns an unused eSIM and refunds all that was paid for it; for a used one, the operator decides.',
    kind: refunding,
    endpoint: refund,
    input: { order_id, reason: words('Why, in at most 200 characters.') },
    ...givingBack('refund', 'A refund was requested before.'),
    question: (usd) =>
      `This gives the eSIM back. ${usd} USD return at once if it was never used; otherwise the operator decides. Shall I?`,
  }),
  twoSteps({
    name: 'cancel_order',
    title: 'Cancel an order',
    description:
      'Cancels an order that is not delivered yet, and refunds all that was paid for it. If a supplier may have it already, that is decided later, and it may be too late.',
    kind: cancelling,
    endpoint: cancel,
    input: { order_id },
    ...givingBack('cancel', 'Its cancellation was requested before.'),
    question: (usd) =>
      `This cancels the order. ${usd} USD return unless its supplier delivers it first and does not take it back. Shall I?`,
  }),
];
