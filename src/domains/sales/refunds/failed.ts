import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** Orders have failed and were refunded. Where the operator had given a part back before, the refund now tells of all of it. */
export async function tellWhole(tx: Tx, orderIds: readonly bigint[]): Promise<void> {
  await tx.run(sql`
    update refunds set amount = (
      select sum(abs(amount)) from movements where movements.order_id = refunds.order_id and type = 'refund')
    where order_id = any(${orderIds}::bigint[])`);
}
