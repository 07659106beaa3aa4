import type { ListedOrder, WaitingOrder } from '../../domains/sales/order-lists/order-lists.ts';
import { orderOfReference, states } from '../../domains/sales/orders/orders.ts';
import { formatCents } from '../../platform/amounts/cents.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { typedBigIdIn } from '../../platform/contract/ids.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action, type OperatorContext } from '../action.ts';
import { bigId, choice, duration, integer, required, text, time } from '../fields.ts';
import { namedPartner, type Subject } from '../four-eyes.ts';
import { resendOrder } from '../messages/deliveries.ts';
import { orderStatus } from '../system/status-words.ts';
import { readTrail, requireOrder, shownCancel, type Trail, targetOf, trailText } from './order-trail.ts';

const orderId = required(bigId('ORDER_ID', 'the order'));
const mode = choice(['live', 'sandbox'], 'whether the order is live or sandbox; live by default');
const stateNames = [...(Object.keys(states) as (keyof typeof states)[]), 'refunded'] as const;

const shown = (order: ListedOrder) => ({
  order_id: order.id,
  ...snaked(order, 'partnerId', 'status', 'delivery', 'deliveryReason', 'productTitle'),
  sale_price: formatCents(order.salePrice),
  ...snaked(order, 'supplier', 'supplierOrder', 'iccid', 'reference', 'refillOf'),
  refunded: formatCents(order.refunded),
  created_at: order.createdAt,
});
/** What tells orders apart, in a table that fits a terminal; `order show` and `--json` have the rest. */
const asRow = (order: ReturnType<typeof shown>) => ({
  ...snaked(order, 'order_id', 'partner_id'),
  status: orderStatus(order),
  ...snaked(order, 'product_title', 'sale_price', 'created_at'),
});
const asRows = (orders: readonly ReturnType<typeof shown>[]) => orders.map(asRow);

const shownWaiting = (order: WaitingOrder) => ({
  ...snaked(order, 'orderId', 'partnerId', 'supplier', 'supplierPlan', 'deliveryReason', 'attempts', 'paidAt'),
  overdue_at: order.overdueAt,
  held: order.heldReason,
});

/** Its price goes back to the partner. */
async function givingUp(context: OperatorContext, id: bigint, mode: Mode, verb: string): Promise<Subject | undefined> {
  if (mode === 'sandbox') return undefined;
  const { partnerId, salePrice, delivery } = await requireOrder(context, id, mode);
  return {
    amounts: [{ partnerId, amount: salePrice }],
    words: `${verb} order ${id} and refund its price of ${formatCents(salePrice)} USD to ${await namedPartner(context, partnerId)}`,
    terms: { delivery },
  };
}

export const orderActions = [
  action({
    name: 'order list',
    console: 'shown',
    summary: 'List live orders, newest first',
    options: {
      partner: integer('PARTNER_ID', 'only of this partner'),
      reference: text('REFERENCE', 'only those with this reference of the partner'),
      iccid: text('ICCID', 'only the orders of this eSIM, refills included'),
      batch: bigId('BATCH_ID', 'only the orders of this batch'),
      status: choice(stateNames, 'only those in this state; refunded: refunded in full or in part'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    async run({ worlds }, { partner: partnerId, reference, iccid, batch: batchId, status: state, limit = 50 }) {
      return (await worlds.live.orders.all.list({ partnerId, reference, iccid, batchId, state, limit })).map(shown);
    },
    text: asRows,
  }),
  action({
    name: 'order show',
    console: 'shown',
    summary: 'Show a live order with its money, events and supplier; never its activation data',
    args: { id: orderId },
    run: (context, { id }): Promise<Trail> => readTrail(context, id),
    text: trailText,
  }),
  action({
    name: 'order find',
    console: 'shown',
    summary: 'Find live orders by any of their numbers or references',
    args: {
      text: required(
        text(
          'TEXT',
          "order id, our reference (wf-live-…), the partner's own reference, ICCID, or the supplier's order number",
        ),
      ),
    },
    async run({ worlds }, { text: given }) {
      const wanted = given.trim();
      const id = typedBigIdIn(wanted) ?? orderOfReference(worlds.live, wanted);
      return (await worlds.live.orders.all.named(id, wanted)).map(shown);
    },
    text: asRows,
  }),
  action({
    name: 'order overdue',
    console: 'shown',
    summary: 'List paid orders that are not delivered yet, longest waiting first, at most 1000',
    options: {
      'older-than': duration(
        'those paid longer ago than this, e.g. 90s, 15m, 2h or 3d; by default those reported as overdue or held',
      ),
    },
    async run({ worlds, clock }, { 'older-than': ageMs }) {
      const paidBefore = ageMs === undefined ? undefined : new Date(clock.now() - ageMs);
      return (await worlds.live.orders.all.waiting(paidBefore)).map(shownWaiting);
    },
  }),
  action({
    name: 'order fail',
    console: { may: 'money', fresh: true },
    summary: 'Fail an undelivered order and refund it',
    args: { id: orderId },
    async run(context, { id }) {
      const { partnerId } = await requireOrder(context, id, 'live');
      return change(context, 'order fail', async (tx) => {
        const failed = await context.worlds.live.provisioning.giveUp(tx, id);
        if (failed === undefined) throw new Refused('order_not_found');
        if (!failed.moved) throw new Refused('order_not_open', `order ${id} is ${failed.state}`);
        const after = { status: 2, delivery: 'failed', delivery_reason: failed.reason };
        return { target: `order ${id}`, partnerId, after, result: { order_id: id, ...after } };
      });
    },
    fourEyes: { subject: (context, { id }) => givingUp(context, id, 'live', 'Fail') },
    text: ({ order_id, delivery_reason, ...order }) => ({ order_id, status: orderStatus(order), delivery_reason }),
  }),
  action({
    name: 'order cancel',
    console: { may: 'money', fresh: true },
    summary: 'Cancel an undelivered order and refund it; if a supplier may already have it, once its answer is known',
    args: { id: orderId },
    options: { mode },
    async run(context, { id, mode = 'live' }) {
      const { partnerId } = await requireOrder(context, id, mode);
      return change(context, 'order cancel', async (tx) => {
        const cancel = await context.worlds[mode].provisioning.cancelManually(tx, id);
        if (!cancel) throw new Refused('order_not_found');
        if (cancel.status === 'too_late')
          throw new Refused('order_not_open', `order ${id} cannot be cancelled any more`);
        const after = { cancel: shownCancel(cancel) };
        return { target: targetOf(id, mode), partnerId, after, result: { order_id: id, ...after } };
      });
    },
    fourEyes: { subject: (context, { id, mode = 'live' }) => givingUp(context, id, mode, 'Cancel') },
    text: ({ order_id, cancel }) => ({ order_id, ...cancel }),
  }),
  action({
    name: 'order retry',
    console: { may: 'support' },
    summary: 'Retry an open live order now instead of at its next attempt',
    args: { id: orderId },
    async run(context, { id }) {
      const { partnerId } = await requireOrder(context, id, 'live');
      return change(context, 'order retry', async (tx) => {
        const tried = await context.worlds.live.provisioning.retry(tx, id);
        if (tried === undefined) throw new Refused('order_not_found');
        const { state, nextAttemptAt, isExpedited } = tried;
        if (nextAttemptAt === null)
          throw new Refused('order_not_open', `order ${id} is ${state}, so there is nothing to retry`);
        const after = { next_attempt_at: nextAttemptAt, brought_forward: isExpedited };
        return { target: `order ${id}`, partnerId, after, result: { order_id: id, ...after } };
      });
    },
    text: ({ order_id, next_attempt_at, brought_forward }) =>
      brought_forward
        ? `order ${order_id} is tried now`
        : { order_id, next_attempt_at, note: 'it is being tried, or about to be' },
  }),
  action({
    name: 'order resend',
    console: { may: 'support' },
    summary: "Resend an order's webhook events, except those about to be sent and those whose body was deleted",
    args: { id: orderId },
    options: {
      'as-of': time(
        'skip events resent since this time, so that repeating the command sends nothing twice; now by default',
      ),
      mode,
    },
    async run(context, { id, 'as-of': asOf, mode = 'live' }) {
      const { webhooks } = context.worlds[mode];
      const { partnerId } = await requireOrder(context, id, mode);
      const place = { mode, partnerId, webhooks };
      return { order_id: id, resent: await resendOrder(context, place, id, { asOf, target: targetOf(id, mode) }) };
    },
  }),
  action({
    name: 'order reveal',
    console: { may: 'support', keyless: 'each time it is shown has an entry of its own in the audit log' },
    summary: 'Show the activation data of a delivered order; the audit log records who ran this',
    args: { id: orderId },
    options: { mode },
    async run(context, { id, mode = 'live' }) {
      const { partnerId, withdrawnAt } = await requireOrder(context, id, mode);
      const order = await context.worlds[mode].orders.find(partnerId, id);
      const esim = withdrawnAt === null ? order?.esim : undefined;
      if (!esim || esim.erased) {
        const gone = withdrawnAt === null ? 'it delivered no eSIM' : 'its eSIM was withdrawn';
        const why = esim?.erased ? 'its eSIM ended long ago, and the data was destroyed' : gone;
        throw new Refused('no_activation_data', `order ${id} has no activation data: ${why}`);
      }
      const { iccid } = esim;
      // The entry is committed before anything is shown.
      return change(context, 'order reveal', () => ({
        target: targetOf(id, mode),
        partnerId,
        after: { iccid },
        result: {
          order_id: id,
          ...snaked(esim, 'iccid', 'smdpAddress', 'matchingId', 'activationCode', 'confirmationCode', 'msisdn'),
          apn: esim.apnValue ?? esim.apn,
          qrcode_url: esim.qrcodeUrl,
        },
      }));
    },
  }),
];
