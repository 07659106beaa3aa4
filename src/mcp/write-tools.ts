import { type Cents, centsToNumber, formatCents, parseCents, toCents } from '../amounts/cents.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { cancel } from '../api/order/cancel.ts';
import { refund } from '../api/order/refund.ts';
import { batch } from '../api/purchase/batch.ts';
import { MOST } from '../api/purchase/batch-items.ts';
import { buy } from '../api/purchase/buy.ts';
import { refill } from '../api/purchase/refill.ts';
import { timestamp } from '../clock.ts';
import { type TSchema, Type } from '../contract/schema.ts';
import { CONFIRMATION_MS, newConfirmation, readConfirmation } from './confirmation.ts';
import { twoOutputs } from './output.ts';
import { isActivation, withoutActivation } from './read-tools.ts';
import { endForgotten, purchase, quote, spendingLeft } from './spend.ts';
import { type Agent, type Args, refused, type Tool, type ToolAnswer, words } from './tool.ts';

const MINUTES = CONFIRMATION_MS / 60_000;

const title = Type.String({ description: 'Name of the plan.' });

interface Kind {
  readonly how: string;
  /** What the first call names the amount, and what it says besides. */
  readonly amountField: string;
  readonly facts: Readonly<Record<string, TSchema>>;
  readonly confirmation: Tool['input'][string];
}

const buying: Kind = {
  how: `Two steps. Call it without confirmation first: it changes nothing and answers with the price and a confirmation, valid for ${MINUTES} minutes. Tell the person the price. When they agree, call it again with the same arguments and the confirmation. If an answer is lost, repeat that call: nothing is charged twice.`,
  amountField: 'price_usd',
  facts: {
    product_title: title,
    livemode: Type.Boolean({ description: 'Whether it costs real money.' }),
    spending_left_after_usd: Type.String({ description: "What would be left of the key's spending limit." }),
  },
  confirmation: words('What the first call answered. Leave it out to hear the price.'),
};

const refunding: Kind = {
  how: `Two steps. Call it without confirmation first: it changes nothing and answers with the amount that would be refunded and a confirmation, valid for ${MINUTES} minutes. Tell the person that the eSIM stops working, and the amount. When they agree, call it again with the same arguments and the confirmation. If an answer is lost, repeat that call: nothing is refunded twice.`,
  amountField: 'refund_usd',
  facts: {
    product_title: title,
    paid_with: Type.String({ description: 'Real money or that of the sandbox.' }),
  },
  confirmation: words('What the first call answered. Leave it out to hear the amount.'),
};

const cancelling: Kind = {
  ...refunding,
  how: refunding.how.replace('that the eSIM stops working, and the amount', 'the amount'),
};

const productFrom = (tool: string) => ({
  schema: Type.String({ pattern: '^esc_[0-9a-f]{16}$', description: `The product, from ${tool}.` }),
  required: true,
});
const quantity = {
  schema: Type.Integer({ minimum: 1, maximum: MOST, description: 'How many eSIMs.' }),
  required: true,
};
const isQuantity = ({ quantity = '' }: Args): boolean => /^[1-9]\d{0,2}$/.test(quantity) && Number(quantity) <= MOST;
const notAQuantity = Promise.resolve({
  no: refused('invalid_items', `The quantity must be a whole number from 1 to ${MOST}.`),
});
const iccid = { schema: Type.String({ description: 'The eSIM to refill.' }), required: true };
const reference = words('Your own reference for the order, e.g. a booking number.');

/** What the first call finds out: the amount, or why it would be refused. */
type Offer =
  | { readonly amount: Cents; readonly facts: Readonly<Record<string, unknown>> }
  | { readonly no: ToolAnswer };

interface TwoSteps extends Pick<Tool, 'name' | 'title' | 'description' | 'input'> {
  readonly kind: Kind;
  /** What the second call calls. */
  readonly endpoint: Pick<Endpoint, 'reply' | 'permission'>;
  offer(agent: Agent, args: Args): Promise<Offer>;
  /** The question for the person, with the amount. */
  question(usd: string): string;
  carryOut(agent: Agent, args: Args, agreed: { id: string; price: Cents; expiresAt: Date }): Promise<ToolAnswer>;
}

/** A tool that states the amount first and acts on the confirmation of exactly that. */
function twoSteps({ name, title, description, kind, endpoint, input, offer, question, carryOut }: TwoSteps): Tool {
  const { how, amountField, facts, confirmation } = kind;
  const { reply, permission = 'read' } = endpoint;
  return {
    name,
    title,
    description: `${description} ${how}`,
    input: { ...input, confirmation },
    output: twoOutputs(amountField, facts, reply, (field) => !isActivation(field)),
    writes: true,
    permission,
    async run(agent, { confirmation: token, ...args }) {
      const { base, key, now } = agent;
      const subject = { keyId: key.keyId, tool: name, args };
      if (token !== undefined) {
        const agreed = readConfirmation(base.vault, subject, token);
        if (agreed) return carryOut(agent, args, agreed);
        return refused(
          'invalid_confirmation',
          'This confirmation was not made for this key with these arguments. Call again without one.',
        );
      }
      const offered = await offer(agent, args);
      if ('no' in offered) return offered.no;
      const made = newConfirmation(base.vault, subject, offered.amount, now);
      const usd = formatCents(offered.amount);
      return {
        isError: false,
        body: {
          status: 'confirmation_required',
          [amountField]: usd,
          ...offered.facts,
          question: question(usd),
          confirmation: made.token,
          confirm_before: timestamp(made.expiresAt),
        },
      };
    },
  };
}

async function quoted(agent: Agent, args: Args): Promise<Offer> {
  const found = await quote(agent, args);
  if ('no' in found) return found;
  const { price } = found;
  const { product_title, available, billing_mode, blocked_by } = found.quoted;
  const shortage = billing_mode === 'postpaid' ? 'credit_limit_exceeded' : 'insufficient_balance';
  const blocked = blocked_by || (centsToNumber(price) > available ? shortage : '');
  if (blocked) return { no: refused(blocked, 'It cannot be bought now.', { price_usd: String(centsToNumber(price)) }) };
  await endForgotten(agent);
  const left = await spendingLeft(agent);
  if (price > left)
    return {
      no: refused('spending_limit_exceeded', "The price is above what is left of this key's spending limit.", {
        price_usd: formatCents(price),
        spending_left_usd: formatCents(left),
      }),
    };
  const after = formatCents(toCents(left - price));
  return {
    amount: price,
    facts: { product_title, livemode: agent.key.mode === 'live', spending_left_after_usd: after },
  };
}

const paidWith = ({ key }: Agent) => (key.mode === 'live' ? 'real money' : 'the play money of the sandbox');

export const writeTools: readonly Tool[] = [
  twoSteps({
    name: 'buy_esim',
    title: 'Buy an eSIM',
    description: 'Buys an eSIM from the wallet or on the credit line.',
    kind: buying,
    endpoint: buy,
    input: { product_id: productFrom('search_catalog'), reference },
    offer: quoted,
    question: (usd) => `This buys the eSIM for ${usd} USD. Shall I?`,
    carryOut: (agent, args, agreed) => purchase(agent, { path: '/purchase/buy', fields: args, args }, agreed),
  }),
  twoSteps({
    name: 'buy_esims',
    title: 'Buy several eSIMs',
    description: `Buys 1 to ${MOST} eSIMs of one plan with one charge: all of them or none. Read their activation data with get_order.`,
    kind: buying,
    endpoint: batch,
    input: { product_id: productFrom('search_catalog'), quantity, reference },
    offer: (agent, args) => (isQuantity(args) ? quoted(agent, args) : notAQuantity),
    question: (usd) => `This buys the eSIMs for ${usd} USD in all. Shall I?`,
    async carryOut(agent, args, agreed) {
      const { product_id, reference } = args;
      const items = JSON.stringify([{ product_id, quantity: Number(args.quantity), reference }]);
      const answer = await purchase(agent, { path: '/purchase/batch', fields: { items }, args }, agreed);
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
    offer: quoted,
    question: (usd) => `This refills the eSIM for ${usd} USD. Shall I?`,
    carryOut: (agent, args, agreed) => purchase(agent, { path: '/purchase/refill', fields: args, args }, agreed),
  }),
  twoSteps({
    name: 'refund_order',
    title: 'Refund an order',
    description:
      'Returns an unused eSIM, and all that was paid for it is refunded; for a used one it asks the operator. A refund does not raise the spending limit.',
    kind: refunding,
    endpoint: refund,
    input: {
      order_id: { schema: Type.Integer({ minimum: 1, description: 'The order.' }), required: true },
      reason: words('Why, in at most 200 characters.'),
    },
    async offer(agent, { order_id = '' }) {
      const answer = await agent.api('/order/detail', { param: order_id });
      if (answer.isError) return { no: answer };
      const { order, refund } = answer.body;
      if (refund) return { no: refused('already_asked', 'A refund was asked for before.', { refund }) };
      const facts = { product_title: order.product_title, paid_with: paidWith(agent) };
      return { amount: parseCents(order.sale_price) as Cents, facts };
    },
    question: (usd) =>
      `This gives the eSIM back. ${usd} USD return at once if it was never used; otherwise the operator decides. Shall I?`,
    async carryOut(agent, args, { expiresAt }) {
      if (agent.now >= expiresAt.getTime()) return refused('confirmation_expired', 'Call again without one.');
      return agent.api('/order/refund', { fields: args });
    },
  }),
  twoSteps({
    name: 'cancel_order',
    title: 'Cancel an order',
    description:
      'Cancels an order that is not delivered yet, and all that was paid for it is refunded. If a supplier may have it already, that takes until it is known, and it may be too late. Does not raise the spending limit.',
    kind: cancelling,
    endpoint: cancel,
    input: { order_id: { schema: Type.Integer({ minimum: 1, description: 'The order.' }), required: true } },
    async offer(agent, { order_id = '' }) {
      const answer = await agent.api('/order/detail', { param: order_id });
      if (answer.isError) return { no: answer };
      const { order, cancel } = answer.body;
      if (cancel) return { no: refused('already_asked', 'Its cancel was asked for before.', { cancel }) };
      const facts = { product_title: order.product_title, paid_with: paidWith(agent) };
      return { amount: parseCents(order.sale_price) as Cents, facts };
    },
    question: (usd) =>
      `This cancels the order. ${usd} USD return unless its supplier delivers it first and does not take it back. Shall I?`,
    async carryOut(agent, args, { expiresAt }) {
      if (agent.now >= expiresAt.getTime()) return refused('confirmation_expired', 'Call again without one.');
      return agent.api('/order/cancel', { fields: args });
    },
  }),
];
