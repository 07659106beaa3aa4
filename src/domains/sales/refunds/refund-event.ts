import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { OrderEvent } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { esimCodes, states } from '../orders/orders.ts';
import { partnerRefund, type Refund } from './rows.ts';

/** A refund with the order's fields that its events carry. */
export interface RefundOfOrder extends Refund {
  readonly reference: string;
  readonly orderStatus: number;
  readonly delivery: string;
  readonly deliveryReason: string;
  readonly iccid: string | null;
  readonly esim: Buffer | null;
  readonly esimKey: Buffer | null;
  readonly isQuiet: boolean;
}

export const orderColumns = sql`
  orders.reference, orders.status as "orderStatus", orders.delivery, orders.delivery_reason as "deliveryReason", orders.iccid,
  orders.esim, ${esimCodes.keyOfOrder} as "esimKey", orders.is_quiet as "isQuiet"`;

export function refundEvent(
  vault: Vault,
  event: 'order.refunded' | 'order.refund_requested' | 'order.refund_rejected',
  refund: RefundOfOrder,
  at: Date,
  n = 1,
): OrderEvent {
  const { partnerId, orderId, reference, orderStatus, delivery, deliveryReason, iccid, esim, esimKey } = refund;
  const isDelivered = orderStatus === states.delivered.status;
  return {
    partnerId,
    orderId,
    reference,
    event,
    n,
    status: String(orderStatus),
    refund: partnerRefund(refund),
    delivery,
    deliveryReason,
    iccid: (isDelivered && iccid) || '',
    qrCode: esim ? esimCodes.opened(vault, { sealed: esim, key: esimKey }, iccid).activationCode : '',
    occurredAt: at.getTime(),
  };
}

/** In the transaction that records it: the operator has to decide, or has rejected it. */
export async function announceRefund(
  tx: Tx,
  { vault, webhooks }: { readonly vault: Vault; readonly webhooks: Pick<Webhooks, 'publish'> },
  event: 'order.refund_requested' | 'order.refund_rejected',
  refund: Refund,
  at: Date,
): Promise<void> {
  const order = await tx.one<Omit<RefundOfOrder, keyof Refund>>(sql`
    select ${orderColumns} from orders where id = ${refund.orderId}`);
  if (!order.isQuiet) await webhooks.publish(tx, [refundEvent(vault, event, { ...refund, ...order }, at)]);
}
