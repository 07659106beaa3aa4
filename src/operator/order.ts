import { change } from '../audit-log.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { command } from './command.ts';
import { bigId, required } from './options.ts';

const orderId = required(bigId('ORDER_ID', 'the order'));

interface OverdueOrder {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly deliveryReason: string | null;
  readonly attempts: number;
  readonly paidAt: Date;
  readonly overdueAt: Date;
}

/** Paid orders that raised an alert and are still not delivered, longest waiting first. */
const overdueOrders = (db: Db) =>
  db.query<OverdueOrder>(sql`
    select id as "orderId", partner_id as "partnerId", supplier, supplier_plan as "supplierPlan",
      delivery_reason as "deliveryReason", provision_attempts as attempts, paid_at as "paidAt", overdue_at as "overdueAt"
    from live.orders where overdue_at is not null and provision_due_at is not null order by id limit 1000`);

const shown = (order: OverdueOrder) => ({
  order_id: order.orderId,
  partner_id: order.partnerId,
  supplier: order.supplier,
  supplier_plan: order.supplierPlan,
  delivery_reason: order.deliveryReason,
  attempts: order.attempts,
  paid_at: order.paidAt,
  overdue_at: order.overdueAt,
});

export const orderCommands = [
  command({
    path: ['order', 'fail'],
    summary: 'Give up on an undelivered order: it fails and its charge is returned',
    args: { id: orderId },
    run: (context, { id }) =>
      change(context, 'order fail', async (tx) => {
        const failed = await context.worlds.live.provisioning.giveUp(tx, id);
        if (failed === undefined) throw new Refused('order_not_found');
        if (!failed.moved) throw new Refused('order_not_open', `order ${id} is ${failed.state}`);
        const after = { status: 2, delivery: 'failed', delivery_reason: failed.reason };
        return { target: `order ${id}`, after, result: { order_id: id, ...after } };
      }),
  }),
  command({
    path: ['order', 'overdue'],
    summary: 'List paid orders that should have been delivered long ago',
    run: async ({ db }) => (await overdueOrders(db)).map(shown),
  }),
];
