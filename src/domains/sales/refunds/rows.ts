import { COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { accountTime } from '../../../platform/db/query/account-time.ts';
import { nothing, pinned, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { OrderEvent, PartnerRefund } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { esimCodes, states } from '../orders/orders.ts';

export const refundStatuses = ['withdrawing', 'requested', 'refunded', 'rejected'] as const;
type RefundStatus = (typeof refundStatuses)[number];

/** The refund of one order, from the partner's request (or the operator's command) to the decision. */
export interface Refund extends Omit<PartnerRefund, 'status'> {
  readonly orderId: bigint;
  readonly partnerId: number;
  /** `withdrawing`: the supplier is being asked to withdraw the eSIM. */
  readonly status: RefundStatus;
  /** How often the supplier was asked. */
  readonly attempts: number;
  /** When the next try begins; null: none is needed. */
  readonly dueAt: Date | null;
}

/** What a decision was made on. It changes with every decision, and when the supplier's answer hands the request to a person. */
export const refundVersion = (refund: Refund | undefined): string =>
  refund ? `${refund.status}-${refund.amount}-${refund.decidedAt?.getTime() ?? 0}` : 'none';

/** As the partner sees it: until the supplier has answered, it is a request like any other. */
export const partnerRefund = (refund: Refund): PartnerRefund => ({
  ...refund,
  status: refund.status === 'withdrawing' ? 'requested' : refund.status,
});

export const refundColumns = sql`
  refunds.order_id as "orderId", refunds.partner_id as "partnerId", refunds.status, refunds.amount, refunds.reason, refunds.note,
  refunds.requested_at as "requestedAt", refunds.decided_at as "decidedAt", refunds.attempts, refunds.due_at as "dueAt"`;

export function readRefund(db: Queryable, orderId: bigint): Promise<Refund | undefined> {
  return db.maybe(sql`select ${refundColumns} from refunds where order_id = ${orderId}`);
}

/** What the clock of an order's account shows at this time; undefined: the order does not exist. */
export async function accountTimeAt(tx: Tx, orderId: bigint, now: number): Promise<Date | undefined> {
  const found = await tx.maybe<{ at: Date }>(sql`
    select ${accountTime(now, sql`orders.partner_id`)} as at from orders where id = ${orderId}`);
  return found?.at;
}

interface RefundFilter {
  readonly partnerId: number | undefined;
  readonly status: RefundStatus | undefined;
  readonly beforeId?: bigint | undefined;
  readonly limit: number;
}

/** The refunds of the newest orders first. Each filter, and both together, is a range of an index that is already sorted. */
export function listRefunds(db: Queryable, { partnerId, status, beforeId, limit }: RefundFilter): Promise<Refund[]> {
  return db.query(sql`
    select ${refundColumns} from refunds
    where true ${partnerId === undefined ? nothing : sql`and ${pinned('partner_id', partnerId)}`}
      ${status === undefined ? nothing : sql`and ${pinned('status', status)}`}
      ${beforeId === undefined ? nothing : sql`and order_id < ${beforeId}`}
    order by order_id desc limit ${limit}`);
}

export async function forgetRefunds(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from refunds where partner_id = ${partnerId}`);
}

/** Those that still wait; what was decided since is in the audit log. */
const requestedSince = (since: Date): Sql =>
  counted(
    'refund_requests',
    sql`select requested_at as since from (
        select requested_at from refunds where status = 'requested' order by order_id desc limit ${5 * COUNT_LIMIT}
      ) as waiting where requested_at > ${since}`,
  );

const waiting = (): Sql =>
  counted('refund_requests', sql`select requested_at as since from refunds where status = 'requested'`);

export const refundAlerts = { waiting, requestedSince };

/** After orders failed and were refunded. Where the operator had given a part back before, the refund now contains the total. */
export async function tellWhole(tx: Tx, orderIds: readonly bigint[]): Promise<void> {
  await tx.run(sql`
    update refunds set amount = (
      select sum(abs(amount)) from movements where movements.order_id = refunds.order_id and type = 'refund')
    where order_id = any(${orderIds}::bigint[])`);
}

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
