import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { WalletFigures, Wanted } from './decide.ts';

/** The wallet as it is now, without locking it. */
export function readWallet(db: Queryable, partnerId: number): Promise<WalletFigures> {
  return db.one<WalletFigures>(sql`
    select billing_mode as "billingMode", cash + promo as spendable, outstanding, credit_limit as "creditLimit"
    from wallets where partner_id = ${partnerId}`);
}

/** What a purchase asks for: the plan, and the eSIM it is added to (by the order that brought it) if it is a refill. */
export interface AskedFor {
  readonly productId: string;
  readonly refillOf: bigint | null;
}

/** An order found under an idempotency key. */
export interface EarlierOrder extends AskedFor {
  readonly id: bigint;
  readonly status: number;
}

/** A key may be sent again only for the same plan on the same eSIM. */
export const isSamePurchase = (a: AskedFor, b: AskedFor): boolean =>
  a.productId === b.productId && a.refillOf === b.refillOf;

/**
 * The eSIMs to be refilled that are still there, by the order that brought them; true: withdrawn, or on its way back to its supplier.
 * Read under the wallet's lock, which the request that withdraws one holds too (refunds/open.ts), and so does a reset of the account.
 */
export async function esimsToRefill(tx: Tx, batch: readonly Wanted[]): Promise<ReadonlyMap<bigint, boolean>> {
  const orderIds = batch.flatMap(({ refillOf }) => (refillOf ? [refillOf.orderId] : []));
  if (orderIds.length === 0) return new Map();
  const rows = await tx.query<{ id: bigint; isWithdrawn: boolean }>(sql`
    select id, withdrawn_at is not null
      or exists (select from refunds where refunds.order_id = orders.id and refunds.status = 'withdrawing') as "isWithdrawn"
    from orders where id = any(${orderIds}::bigint[])`);
  return new Map(rows.map(({ id, isWithdrawn }) => [id, isWithdrawn]));
}

/** Keys are unique per partner. */
export const keyName = (partnerId: number, key: string): string => `${partnerId} ${key}`;

/** What was recorded under the batch's keys, by `keyName`. */
export async function recordedUnder(tx: Tx, batch: readonly Wanted[]): Promise<Map<string, EarlierOrder>> {
  const keyed = batch.filter(({ key }) => key !== undefined);
  if (keyed.length === 0) return new Map();
  const rows = await tx.query<EarlierOrder & { partnerId: number; key: string }>(sql`
    select o.id, o.partner_id as "partnerId", o.idempotency_key as key, o.product_id as "productId",
      o.refill_of as "refillOf", o.status
    from unnest(${keyed.map(({ partnerId }) => partnerId)}::int[], ${keyed.map(({ key }) => key)}::text[]) as asked (partner_id, key)
    join orders o on o.partner_id = asked.partner_id and o.idempotency_key = asked.key collate "C"`);
  return new Map(rows.map((row) => [keyName(row.partnerId, row.key), row]));
}
