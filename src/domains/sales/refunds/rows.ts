import { COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { accountTime } from '../../../platform/db/query/account-time.ts';
import { pinned } from '../../../platform/db/query/pinned.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { PartnerRefund } from '../../messages/events/events.ts';

export const refundStatuses = ['withdrawing', 'requested', 'refunded', 'rejected'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

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

export interface RefundFilter {
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
