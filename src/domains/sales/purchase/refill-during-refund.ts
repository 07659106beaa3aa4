import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Wanted } from './decide.ts';

/*
 * A refill is refused while its eSIM is being withdrawn: the money would buy data for an eSIM that its supplier withdraws a moment
 * later. Whichever came first wins, because both hold the partner's wallet: the purchase while it reads this, and the request for a
 * refund while it writes `withdrawing` (domains/sales/refunds/open.ts). A reset of the account holds it, too. An eSIM that was delivered although
 * its order was to be cancelled counts as being withdrawn from its delivery (`cancel_due_at`), and one that is being replaced from the
 * request on: its replacement has the data of the plan alone.
 */

/** The eSIMs to be refilled that exist, by the order that delivered them; true: withdrawn, or being withdrawn. */
export async function esimsToRefill(tx: Tx, batch: readonly Wanted[]): Promise<ReadonlyMap<bigint, boolean>> {
  const orderIds = batch.flatMap(({ refillOf }) => (refillOf ? [refillOf.orderId] : []));
  if (orderIds.length === 0) return new Map();
  const rows = await tx.query<{ id: bigint; isWithdrawn: boolean }>(sql`
    select id, withdrawn_at is not null or cancel_due_at is not null
      or exists (select from refunds where refunds.order_id = orders.id and refunds.status = 'withdrawing')
      or exists (select from esim_replacements replaced where replaced.old_order_id = orders.id and replaced.status in ('pending', 'replaced'))
      as "isWithdrawn"
    from orders where id = any(${orderIds}::bigint[])`);
  return new Map(rows.map(({ id, isWithdrawn }) => [id, isWithdrawn]));
}
