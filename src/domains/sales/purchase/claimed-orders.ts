import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { isSamePlan, orderAttempts, provisionDue, supplierIn } from '../orders/orders.ts';
import type { PaidOrder } from './paid-order.ts';

/** Orders one round of the job tries side by side, so that those of a silent supplier wait together, not in turn. */
const MAX_CLAIM = 128;

interface ClaimedOrder extends Omit<PaidOrder, 'refillOf' | 'attempted'> {
  readonly attempted: Parameters<typeof orderAttempts.read>[0];
  readonly refilledIccid: string | null;
  readonly refilledOrder: string | null;
}

/** Claims orders that are due, as what provisioning needs to know of them. */
export async function claimDue(db: Queryable, now: Date, leasedUntil: Date): Promise<PaidOrder[]> {
  const claimed = await db.query<ClaimedOrder>(sql`
    ${provisionDue.claim(now, leasedUntil, MAX_CLAIM)}
    returning orders.id, orders.partner_id as "partnerId", orders.reference, first.iccid as "refilledIccid",
      first.supplier_order as "refilledOrder", case orders.delivery when 'deferred' then 'deferred' else 'paid' end as state,
      orders.product_id as "productId", orders.sale_price as price, ${supplierIn(sql`orders.supplier`)} as supplier,
      ${orderAttempts.numberIn(sql`orders.supplier`)} as number, ${orderAttempts.ofOrder(sql`orders.id`)} as attempted,
      orders.supplier_plan as "supplierPlan", orders.supplier_order as "supplierOrder",
      orders.amount_mb as "amountMb", orders.day, orders.cost_micros as cost, orders.paid_at as "paidAt",
      nullif(coalesce(orders.ordered_at, orders.paid_at), '-infinity') as "orderedAt",
      orders.provision_attempts as attempts, orders.script,
      orders.cancel_status is not null as "isCancelRequested", orders.held_reason as held,
      coalesce(orders.free_attempts = orders.provision_attempts - 1, false) as "wasFree"`);
  return claimed.map(paidOrder);
}

function paidOrder({ refilledIccid: iccid, refilledOrder: supplierOrder, ...order }: ClaimedOrder): PaidOrder {
  const attempted = orderAttempts.read(order.attempted);
  // What another supplier's plan has may be more than what was sold.
  const { amountMb, day } = attempted.find((attempt) => isSamePlan(attempt, order)) ?? order;
  return { ...order, attempted, amountMb, day, refillOf: iccid === null ? null : { iccid, supplierOrder } };
}
