import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { states } from '../orders/orders.ts';
import type { Decision, Wanted } from './decide.ts';

/** What a purchase asks for: the plan and, for a refill, the eSIM (by the order that delivered it). */
export interface PurchaseTarget {
  readonly productId: string;
  readonly refillOf: bigint | null;
}

/** An order found under an idempotency key. */
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

/** What was recorded under the batch's keys, by `keyName`. */
export async function recordedUnder(tx: Tx, batch: readonly Wanted[]): Promise<Map<string, EarlierOrder>> {
  const keyed = batch.filter(({ key }) => key !== undefined);
  if (keyed.length === 0) return new Map();
  const rows = await tx.query<EarlierOrder & { partnerId: number; key: string }>(sql`
    select o.id, o.partner_id as "partnerId", o.idempotency_key as key, o.product_id as "productId",
      o.refill_of as "refillOf", o.status, o.batch_id as "batchId"
    from unnest(${keyed.map(({ partnerId }) => partnerId)}::int[], ${keyed.map(({ key }) => key)}::text[]) as target (partner_id, key)
    join orders o on o.partner_id = target.partner_id and o.idempotency_key = target.key collate "C"`);
  return new Map(rows.map((row) => [keyName(row.partnerId, row.key), row]));
}

/** A purchase of this batch as the next one under its key finds it. */
export const recordedAs = ({ orderId, batchId, wanted }: Decision): EarlierOrder => ({
  id: orderId,
  batchId: batchId ?? null,
  productId: wanted.plan.alias,
  refillOf: wanted.refillOf?.orderId ?? null,
  status: states.paid.status,
});
