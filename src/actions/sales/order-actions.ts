import type { OrderRecord } from '../../domains/sales/order-lists/order-lists.ts';
import { change } from '../../platform/audit/audit-log.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action, type OperatorContext } from '../action.ts';
import { bigId, choice, required, time } from '../fields.ts';
import { resendOrder } from '../messages/deliveries.ts';

const orderId = required(bigId('ORDER_ID', 'the order'));
const mode = choice(['live', 'sandbox'], 'whether the order is live or sandbox; live by default');

export const targetOf = (id: bigint, mode: Mode): string => (mode === 'live' ? `order ${id}` : `${mode} order ${id}`);

export async function requireOrder({ worlds }: OperatorContext, id: bigint, mode: Mode): Promise<OrderRecord> {
  const order = await worlds[mode].orders.all.read(id);
  if (!order) throw new Refused('order_not_found');
  return order;
}

/** What helps with one order and moves no money. */
export const orderActionActions = [
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
      if (!esim) {
        const why = withdrawnAt === null ? 'it delivered no eSIM' : 'its eSIM was withdrawn';
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
          iccid,
          smdp_address: esim.smdpAddress,
          matching_id: esim.matchingId,
          activation_code: esim.activationCode,
          confirmation_code: esim.confirmationCode,
          msisdn: esim.msisdn,
          apn: esim.apnValue ?? esim.apn,
          qrcode_url: esim.qrcodeUrl,
        },
      }));
    },
  }),
];
