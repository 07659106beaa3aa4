import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { lockWallets } from '../../money/ledger/ledger.ts';
import { stateOf } from '../orders/orders.ts';
import { carryOutRefunding, type MoveParts, type MoveResult } from './moves.ts';

/** Fails an order that is still open, whoever may have it, and refunds it. Undefined: there is no such order. */
export async function giveUpOrder(
  tx: Tx,
  parts: MoveParts,
  orderId: bigint,
  at: Date,
): Promise<MoveResult | undefined> {
  const found = await tx.maybe<{ partnerId: number; reference: string }>(sql`
    select partner_id as "partnerId", reference from orders where id = ${orderId}`);
  if (!found) return undefined;
  const { partnerId, reference } = found;
  // Sent together and run in this order.
  const [, order] = await Promise.all([
    lockWallets(tx, [partnerId]),
    tx.maybe<{ status: number; delivery: string }>(sql`
      select status, delivery from orders where id = ${orderId} for no key update`),
  ]);
  if (!order) return undefined;
  const from = stateOf(order);
  if (from === 'delivered' || from === 'failed') return { state: from, reason: '', supplierOrder: null, moved: false };
  const of = { orderId, partnerId, reference, refillOf: null, from, at };
  const [result] = await carryOutRefunding(tx, parts, [{ ...of, to: 'failed', reason: 'provider_rejected' }]);
  return result;
}
