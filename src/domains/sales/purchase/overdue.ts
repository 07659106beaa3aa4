import type { Db } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { provisionDue, supplierIn } from '../orders/orders.ts';
import { LONGEST_WAIT_MS } from './order-retry-schedule.ts';

interface OverdueOrder {
  readonly id: bigint;
  readonly supplier: string;
  readonly reason: string;
}

const reported = sql`returning id, ${supplierIn(sql`supplier`)} as supplier, delivery_reason as reason`;

/** Reports orders that a wrong clock put off, which are due then, and those that were paid too long ago. */
export async function reportOverdue(db: Db, log: Log, now: number, overdueMs: number): Promise<number> {
  const report = (orders: readonly OverdueOrder[], message: string) => {
    for (const { id, supplier, reason } of orders) log.error({ orderId: id.toString(), supplier, reason }, message);
    return orders.length;
  };
  const tooFar = new Date(now + LONGEST_WAIT_MS);
  const putOff = await db.query<OverdueOrder>(sql`${provisionDue.pullIn(new Date(now), tooFar)} ${reported}`);
  const late = report(putOff, 'a paid order was put off too far, as if the clock had been wrong: it is tried now');
  const overdue = await db.query<OverdueOrder>(sql`
    ${provisionDue.markOverdue(new Date(now), new Date(now - overdueMs), tooFar)} ${reported}`);
  return late + report(overdue, 'a paid order is overdue: see `order overdue`, `order fail`');
}
