import type { Queryable } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { OrderAnswer } from '../../supply/port/port.ts';
import { soldIccids } from '../orders/orders.ts';
import type { PaidOrder, SupplierCalls } from './supplier-calls.ts';

/*
 * Orders that wait for a person, because what their supplier sent cannot be right. They stay paid and deferred. The eSIM may have been
 * bought, so they are neither ordered again nor failed here, whatever the supplier says later. They are looked up at the supplier now
 * and then: a delivery that is right ends the wait. Otherwise an operator fails the order, which refunds it.
 */

/** Once for each reason. The order stays on the console's home. */
export function reportHeld(log: Log, { id, supplier, held }: PaidOrder, reason: string): void {
  if (held === reason) return;
  log.error(
    { orderId: id.toString(), supplier, reason },
    'an order is held: what its supplier sent cannot be right. See `order show`, `order retry`, `order fail`',
  );
}

/** Why an order was not delivered, though nothing else happened to it. */
export async function takenIccid(db: Queryable, iccid: string, supplierOrder: string): Promise<OrderAnswer> {
  const owner = await soldIccids.ownerOf(db, iccid);
  const reason = `its ICCID is that of ${owner === undefined ? 'another order' : `order ${owner}`}`;
  return { outcome: 'held', supplierOrder, reason };
}

/** What is known of a held order now. Without the supplier's number of it, some adapters could only look it up by ordering again. */
export async function recheckHeld(calls: SupplierCalls, order: PaidOrder, reason: string): Promise<OrderAnswer> {
  const { supplierOrder } = order;
  const found = supplierOrder === null ? undefined : (await calls.lookUp(order)).answer;
  const isAnswer = found?.outcome === 'delivered' || found?.outcome === 'refilled' || found?.outcome === 'held';
  return isAnswer ? found : { outcome: 'held', supplierOrder, reason };
}
