import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { lockWallets } from '../../money/ledger/ledger.ts';
import { type Cancel, orderCancels, provisionDue, stateOf } from '../orders/orders.ts';
import { carryOutRefunding, type Move, type MoveParts, type MoveResult } from './moves.ts';
import type { SupplyTerms } from './supplier-calls.ts';

/** `delivery_reason` of an order that failed because it was cancelled. */
export const CANCELLED = 'cancelled';

export interface CancelRequest {
  readonly partnerId: number;
  readonly orderId: bigint;
  readonly at: Date;
}

export interface CancelTerms {
  /** A due time up to then may be a claim. */
  readonly leasedUntil: Date;
  readonly now: Date;
  readonly mayHaveOrder: SupplyTerms['mayHaveOrder'];
}

/**
 * Cancels an order, in a transaction that holds the wallet and then its row. If certainly no supplier has the order and no process is trying it, it
 * fails at once. Any other open order may be with a supplier: it is marked, so that no further supplier is tried, and ends as soon
 * as its outcome is known. Undefined: there is no such order, or it is another partner's.
 */
export async function cancelOrder(
  tx: Tx,
  parts: MoveParts,
  { orderId, partnerId, at }: CancelRequest,
  { now, leasedUntil, mayHaveOrder }: CancelTerms,
): Promise<Cancel | undefined> {
  // Sent together and run in this order.
  const [, order] = await Promise.all([lockWallets(tx, [partnerId]), orderCancels.hold(tx, partnerId, orderId)]);
  if (!order) return undefined;
  if (order.cancel) return order.cancel;
  const from = stateOf(order);
  if (from === 'delivered' || from === 'failed') return orderCancels.write(tx, orderId, 'too_late', at);
  const requested = await orderCancels.write(tx, orderId, 'requested', at);
  if (mayHaveOrder({ state: from, isFree: order.isFree })) {
    if (order.dueAt !== null && order.dueAt > leasedUntil) await provisionDue.setNow(tx, orderId, now);
    return requested;
  }
  const { reference } = order;
  const of = { orderId, partnerId, reference, refillOf: null, from, at };
  await carryOutRefunding(tx, parts, [{ ...of, to: 'failed', reason: CANCELLED }]);
  return { status: 'cancelled', requestedAt: at, decidedAt: at };
}

/** Orders of a partner that were bought together. */
export interface CancelTogether extends Omit<CancelRequest, 'orderId'> {
  readonly orderIds: readonly bigint[];
}

/**
 * Cancels those of these orders that have not failed, if certainly no supplier has any of them; otherwise it changes nothing. Returns whether
 * it did.
 */
export async function cancelUnsent(
  tx: Tx,
  parts: MoveParts,
  { orderIds, partnerId, at }: CancelTogether,
  { mayHaveOrder }: CancelTerms,
): Promise<boolean> {
  // Sent together and run in this order, which is the same for everybody.
  const [, ...held] = await Promise.all([
    lockWallets(tx, [partnerId]),
    ...orderIds.map(async (orderId) => ({ orderId, order: await orderCancels.hold(tx, partnerId, orderId) })),
  ]);
  const moves: Move[] = [];
  for (const { orderId, order } of held) {
    const from = order && stateOf(order);
    if (!from || from === 'failed') continue;
    if (from === 'delivered' || mayHaveOrder({ state: from, isFree: order.isFree })) return false;
    const { reference } = order;
    moves.push({ orderId, partnerId, reference, refillOf: null, from, at, to: 'failed', reason: CANCELLED });
  }
  await Promise.all(moves.map(({ orderId }) => orderCancels.write(tx, orderId, 'requested', at)));
  await carryOutRefunding(tx, parts, moves);
  return moves.length > 0;
}

/** Fails an order that is still open and refunds it. Undefined: the order does not exist. */
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
