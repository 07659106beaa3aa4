import { audit } from '../actions/audit-log.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import { command } from './command.ts';
import { bigId, required } from './options.ts';

const orderId = required(bigId('ORDER_ID', 'the order'));

/** Paid orders the operator was alerted to and that are still not delivered, longest waiting first. */
const overdueOrders = (db: Db) =>
  db.query(sql`
    select id as order_id, partner_id, supplier, supplier_plan, delivery_reason, provision_attempts as attempts, paid_at,
      overdue_at
    from live.orders where overdue_at is not null and provision_due_at is not null order by id limit 1000`);

export const orderCommands = [
  command({
    path: ['order', 'fail'],
    summary: 'Give up on an order that is not delivered: it fails, and what was charged for it goes back',
    args: { id: orderId },
    async run({ db, worlds, who }, { id }) {
      return db.tx(async (tx) => {
        const failed = await worlds.live.provisioning.giveUp(tx, id);
        if (failed === undefined) throw new Refused('order_not_found');
        if (!failed.moved) throw new Refused('order_not_open', `order ${id} is ${failed.state}`);
        const after = { status: 2, delivery: 'failed', delivery_reason: failed.reason };
        await audit(tx, { who, what: 'order fail', target: `order ${id}`, after });
        return { order_id: id, ...after };
      });
    },
  }),
  command({
    path: ['order', 'overdue'],
    summary: 'Paid orders that should have been delivered long ago',
    run: ({ db }) => overdueOrders(db),
  }),
];
