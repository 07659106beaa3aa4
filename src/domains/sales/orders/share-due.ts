import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Locks orders by id, so that two processes with the same ones cannot deadlock. */
const inOrder = (orderIds: readonly bigint[]): Sql => sql`
  select id from orders where id = any(${orderIds}::bigint[]) order by id for no key update`;

/** When a sale is next checked for its revenue share (`usage_due_at`); 'infinity': it is settled. */
export const shareDue = {
  /** As part of a statement. */
  close: (orderIds: readonly bigint[]): Sql => sql`
      update orders set usage_due_at = 'infinity'
      from (${inOrder(orderIds)}) held where orders.id = held.id`,

  /** A sale that was settled in the meantime stays closed. */
  async postpone(db: Queryable, later: readonly { readonly orderId: bigint; readonly at: number }[]): Promise<void> {
    if (later.length === 0) return;
    await db.run(sql`
      update orders set usage_due_at = due.at
      from unnest(${later.map(({ orderId }) => orderId)}::bigint[], ${later.map(({ at }) => new Date(at))}::timestamptz[])
        as due (order_id, at)
      join (${inOrder(later.map(({ orderId }) => orderId))}) held on held.id = due.order_id
      where orders.id = due.order_id and (orders.usage_due_at is null or orders.usage_due_at < 'infinity')`);
  },

  /** The usage of an eSIM changed, so its sale is checked again at once. On the owner's connection. */
  async again(tx: Tx, iccid: string): Promise<void> {
    await tx.run(sql`
      update live.orders set usage_due_at = null where iccid = ${iccid} and usage_due_at < 'infinity'`);
  },
};
