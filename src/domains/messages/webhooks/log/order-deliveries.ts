import type { Queryable, Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';

/**
 * Deletes a partner's order deliveries, including those still waiting; the subscriptions and their test events stay. The queue
 * comes before the log and both in order, as queue.ts demands. A dead delivery that is requeued between the two statements is
 * kept, because it has a queue row again.
 */
async function forget(tx: Tx, partnerId: number): Promise<void> {
  const waiting = await tx.query<{ id: bigint }>(sql`
    delete from webhook_queue
    where delivery_id = any (array (
      select delivery_id from webhook_queue join webhook_deliveries on webhook_deliveries.id = delivery_id
      where partner_id = ${partnerId} and order_id > 0
      order by delivery_id for update of webhook_queue
    ))
    returning delivery_id as id`);
  await tx.run(sql`
    with forgotten as (
      delete from webhook_deliveries
      where partner_id = ${partnerId} and order_id > 0
        and (status in ('sent', 'dead') or id = any (${waiting.map(({ id }) => id)}::bigint[]))
      returning id
    )
    delete from webhook_attempts where delivery_id = any (array (select id from forgotten))`);
}

/** Deletes what the deliveries of these orders say, once they are done with. */
const forgetBodies = async (db: Queryable, orderIds: readonly bigint[]): Promise<number> =>
  orderIds.length === 0
    ? 0
    : db.run(sql`
        update webhook_deliveries set body = null
        where order_id > 0 and order_id = any (${orderIds}::bigint[]) and body is not null and status in ('sent', 'dead')`);

export const orderDeliveries = { forget, forgetBodies };
