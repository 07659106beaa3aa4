import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/*
 * A request to cancel an order, in columns of the order. So a move of the order decides it in the same statement, and a process
 * that is about to call a supplier sees it under the row lock it takes anyway.
 *
 *     requested ──► cancelled        the order failed, so its price went back
 *         │  └────► cancelled        it was delivered, and its supplier took the eSIM back
 *         └───────► too_late         it was delivered, and its supplier does not take it back
 *
 * An order that was delivered or had failed before is `too_late` from the start.
 */

type CancelStatus = 'requested' | 'cancelled' | 'too_late';

export interface Cancel {
  readonly status: CancelStatus;
  readonly requestedAt: Date;
  readonly decidedAt: Date | null;
}

export interface CancelMarks {
  readonly cancelStatus: CancelStatus | null;
  readonly cancelRequestedAt: Date | null;
  readonly cancelDecidedAt: Date | null;
}

const columns = sql`
  cancel_status as "cancelStatus", cancel_requested_at as "cancelRequestedAt", cancel_decided_at as "cancelDecidedAt"`;

/** Whether it ended because its partner asked for that: it failed, or its supplier took the eSIM back. */
export const isCancelled: Sql = sql`(cancel_status is not distinct from 'cancelled')`;

/** Null: none was requested. */
const of = ({ cancelStatus, cancelRequestedAt, cancelDecidedAt }: CancelMarks): Cancel | null =>
  cancelStatus && cancelRequestedAt
    ? { status: cancelStatus, requestedAt: cancelRequestedAt, decidedAt: cancelDecidedAt }
    : null;

interface OrderToCancel {
  /** The one it has; null: none. */
  readonly cancel: Cancel | null;
  readonly reference: string;
  readonly status: number;
  readonly delivery: string;
  /** Certainly no supplier has it, and no process is trying it. */
  readonly isFree: boolean;
  readonly dueAt: Date | null;
}

/** Locks the partner's order until the end of the transaction, so that no move comes in between. The caller holds the wallet. */
async function hold(tx: Tx, partnerId: number, orderId: bigint): Promise<OrderToCancel | undefined> {
  const row = await tx.maybe<Omit<OrderToCancel, 'cancel'> & CancelMarks>(sql`
    select reference, status, delivery, provision_due_at as "dueAt", ${columns},
      coalesce(free_attempts = provision_attempts, false) as "isFree"
    from orders where id = ${orderId} and partner_id = ${partnerId} for no key update`);
  return row && { ...row, cancel: of(row) };
}

const write = async (tx: Tx, orderId: bigint, status: CancelStatus, at: Date): Promise<Cancel> => {
  const decidedAt = status === 'requested' ? null : at;
  await tx.run(sql`
    update orders set cancel_status = ${status}, cancel_requested_at = ${at}, cancel_decided_at = ${decidedAt}
    where id = ${orderId}`);
  return { status, requestedAt: at, decidedAt };
};

/** Claims delivered orders that are to be handed back. The caller says what it returns. */
const claim = (now: Date, leasedUntil: Date, limit: number): Sql => sql`
  with due as (
    select id from orders where cancel_due_at <= ${now} order by cancel_due_at limit ${limit} for no key update skip locked
  )
  update orders set cancel_due_at = ${leasedUntil} from due where orders.id = due.id`;

/** Its supplier did not answer. */
const putOff = (db: Queryable, orderId: bigint, dueAt: Date): Promise<number> =>
  db.run(sql`update orders set cancel_due_at = ${dueAt} where id = ${orderId} and cancel_due_at is not null`);

/** Its supplier has answered. An eSIM that was withdrawn for a refund meanwhile is gone all the same. */
const decide = (db: Queryable, orderId: bigint, at: Date): Promise<number> =>
  db.run(sql`
    update orders set cancel_due_at = null, cancel_decided_at = ${at},
      cancel_status = case when withdrawn_at is null then 'too_late' else 'cancelled' end
    where id = ${orderId} and cancel_due_at is not null`);

/** Whether an order `id` is being handed back; undefined: there is no such order. */
const isHandedBack = (tx: Tx, orderId: bigint): Promise<{ isDue: boolean } | undefined> =>
  tx.maybe(sql`select cancel_due_at is not null as "isDue" from orders where id = ${orderId}`);

export const orderCancels = { columns, of, hold, write, claim, putOff, decide, isHandedBack };
