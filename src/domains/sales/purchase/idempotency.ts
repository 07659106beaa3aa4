import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { newOrderId, states } from '../orders/orders.ts';
import type { Decision, Wanted } from './decide.ts';

/** What a purchase asks for: the plan and, for a refill, the eSIM (by the order that delivered it). */
export interface PurchaseTarget {
  readonly productId: string;
  readonly refillOf: bigint | null;
}

export interface EarlierOrder extends PurchaseTarget {
  readonly id: bigint;
  readonly status: number;
  /** Set: the key is that of a batch, of which this is the first order. */
  readonly batchId: bigint | null;
}

/** A key may be sent again only for the same plan on the same eSIM. A batch has its key for itself. */
export const isSamePurchase = (earlier: EarlierOrder, target: PurchaseTarget): boolean =>
  earlier.batchId === null && earlier.productId === target.productId && earlier.refillOf === target.refillOf;

/** Keys are unique per partner. */
export const keyName = (partnerId: number, key: string): string => `${partnerId} ${key}`;

interface BeginningRow extends Omit<EarlierOrder, 'id'> {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly key: string | null;
  /** Null: the key is unused, or there is none. */
  readonly id: bigint | null;
}

/**
 * New ids, one for each purchase that may become an order, and what was recorded under their keys, by `keyName`. One statement, because each
 * has a price of its own. Unused ids leave harmless gaps.
 */
export async function beginningOf(tx: Tx, batch: readonly Wanted[]) {
  const rows = await tx.query<BeginningRow>(sql`
    select ${newOrderId} as "orderId", target.partner_id as "partnerId", target.key, o.id, o.product_id as "productId",
      o.refill_of as "refillOf", o.status, o.batch_id as "batchId"
    from unnest(${batch.map(({ partnerId }) => partnerId)}::int[], ${batch.map(({ key }) => key ?? null)}::text[]) as target (partner_id, key)
    left join orders o on o.partner_id = target.partner_id and o.idempotency_key = target.key collate "C"`);
  const recorded = new Map<string, EarlierOrder>();
  for (const { partnerId, key, id, ...earlier } of rows)
    if (id !== null && key !== null) recorded.set(keyName(partnerId, key), { ...earlier, id });
  return { orderIds: rows.map(({ orderId }) => orderId), recorded };
}

/** A purchase of this batch as the next one under its key finds it. */
export const recordedAs = ({ orderId, batchId, wanted }: Decision): EarlierOrder => ({
  id: orderId,
  batchId: batchId ?? null,
  productId: wanted.plan.alias,
  refillOf: wanted.refillOf?.orderId ?? null,
  status: states.paid.status,
});
