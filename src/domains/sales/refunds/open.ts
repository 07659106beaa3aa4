import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Budget } from '../../../platform/limits/budget.ts';
import { lockWallets } from '../../money/ledger/ledger.ts';
import { replacedEsims } from '../esims/esims.ts';
import { states } from '../orders/orders.ts';
import { type GiveBackParts, isArchived } from './give-back.ts';
import { announceRefund, type Refund, readRefund, refundColumns } from './rows.ts';
import { mayWithdraw, type Withdrawal, withdrawalColumns, withdrawalOf } from './withdrawal.ts';

/** A partner's request for a refund. */
export interface RefundRequest {
  readonly partnerId: number;
  readonly orderId: bigint;
  readonly reason: string;
  readonly at: Date;
  /** How long the request may take. Once it is recorded, the job finishes it. */
  readonly budget?: Budget | undefined;
}

export type Opened =
  | { readonly outcome: 'not_found' | 'not_refundable' }
  /** Nothing to do now: it was requested before, or waits for the operator. */
  | { readonly outcome: 'on_record'; readonly refund: Refund }
  /** The supplier must be asked, by `leasedUntil` at the latest. */
  | { readonly outcome: 'withdrawing'; readonly refund: Refund; readonly withdrawal: Withdrawal };

interface Facts extends Withdrawal {
  readonly status: number;
  readonly salePrice: Cents;
  readonly refunded: Cents;
  readonly mayWithdraw: boolean;
  readonly isArchived: boolean;
}

/**
 * Of an order whose eSIM was replaced the new eSIM is withdrawn; while the replacement is on its way, the operator decides.
 *
 * Records the request before the supplier is asked. It holds the wallet, as every purchase does: so of several requests only one
 * writes the row, and no refill of the eSIM is paid between the check for refills and the row that forbids them.
 */
export async function openRefund(
  tx: Tx,
  parts: GiveBackParts,
  wanted: RefundRequest,
  leasedUntil: Date,
): Promise<Opened> {
  const { partnerId, orderId, reason, at } = wanted;
  // Sent together and run in this order: the order is read once the wallet is locked.
  const [, facts, known] = await Promise.all([
    lockWallets(tx, [partnerId]),
    tx.maybe<Facts>(sql`
      select ${withdrawalColumns}, 1 as attempts, sold.status, sold.sale_price as "salePrice",
        (select coalesce(sum(abs(amount)), 0)::bigint from movements
          where movements.order_id = sold.id and movements.type = 'refund') as refunded,
        ${isArchived(sql`sold`)} as "isArchived",
        coalesce(${mayWithdraw}, false) and ${replacedEsims.areFormerWithdrawn(sql`sold.id`)} as "mayWithdraw"
      from orders sold join orders on orders.id = ${replacedEsims.lastInPlaceOf(sql`sold.id`, 'placed')}
      where sold.id = ${orderId} and sold.partner_id = ${partnerId}`),
    readRefund(tx, orderId),
  ]);
  if (!facts) return { outcome: 'not_found' };
  if (known) return { outcome: 'on_record', refund: known };
  if (facts.status !== states.delivered.status || facts.refunded >= facts.salePrice || facts.isArchived)
    return { outcome: 'not_refundable' };
  const [status, dueAt] = facts.mayWithdraw ? (['withdrawing', leasedUntil] as const) : (['requested', null] as const);
  const refund = await tx.one<Refund>(sql`
    insert into refunds (order_id, partner_id, status, amount, reason, requested_at, due_at, attempts)
    values (${orderId}, ${partnerId}, ${status}, ${facts.refunded}, ${reason}, ${at}, ${dueAt}, ${facts.mayWithdraw ? 1 : 0})
    returning ${refundColumns}`);
  if (facts.mayWithdraw) return { outcome: 'withdrawing', refund, withdrawal: withdrawalOf(facts) };
  await announceRefund(tx, parts, 'order.refund_requested', refund, at);
  return { outcome: 'on_record', refund };
}
