import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { soldIccids } from './sold-iccids.ts';

/**
 * As part of a statement in which `given` has the amount refunded so far. An order that is wholly refunded earns no share, so its
 * usage is not asked for any more. The caller says what it returns.
 */
export const markRefunded = (orderId: bigint, isWithdrawn: boolean, at: Date): Sql => sql`
      update orders set refunded = given.amount,
        withdrawn_at = case when ${isWithdrawn} then ${at}::timestamptz else withdrawn_at end,
        usage_due_at = case when given.amount >= sale_price then 'infinity' else usage_due_at end
      from given where orders.id = ${orderId}`;

/** The supplier withdrew its eSIM. */
export async function markWithdrawn(tx: Tx, orderId: bigint, at: Date): Promise<void> {
  await tx.run(sql`update orders set withdrawn_at = coalesce(withdrawn_at, ${at}) where id = ${orderId}`);
}

/**
 * Returns how many. Only where money is play money: the other role has no right to. They are locked in the order of their ids, as
 * `movedOrders` does: some of them may be delivered at this moment.
 */
export async function forgetOrders(tx: Tx, partnerId: number): Promise<number> {
  await tx.run(sql`select from orders where partner_id = ${partnerId} order by id for update`);
  await soldIccids.forget(tx, partnerId);
  return tx.run(sql`delete from orders where partner_id = ${partnerId}`);
}
