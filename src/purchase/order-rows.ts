import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { toMicros } from '../money/money.ts';
import { states } from '../orders/orders.ts';
import { type Decision, eventsAheadOf, isRefused, type WalletFigures, type Wanted } from './decide.ts';

/** The wallet as it is now, without locking it. */
export function readWallet(db: Queryable, partnerId: number): Promise<WalletFigures> {
  return db.one<WalletFigures>(sql`
    select billing_mode as "billingMode", cash + promo as spendable, outstanding, credit_limit as "creditLimit"
    from wallets where partner_id = ${partnerId}`);
}

/** An order found under an idempotency key. */
export interface Recorded {
  id: bigint;
  partnerId: number;
  key: string;
  productId: string;
  status: number;
}

/** Keys are unique per partner. */
export const keyName = (partnerId: number, key: string): string => `${partnerId} ${key}`;

/** What was recorded under the batch's keys, by `keyName`. */
export async function recordedUnder(tx: Tx, batch: readonly Wanted[]): Promise<Map<string, Recorded>> {
  const keyed = batch.filter(({ key }) => key !== undefined);
  if (keyed.length === 0) return new Map();
  const rows = await tx.query<Recorded>(sql`
    select o.id, o.partner_id as "partnerId", o.idempotency_key as key, o.product_id as "productId", o.status
    from unnest(${keyed.map(({ partnerId }) => partnerId)}::int[], ${keyed.map(({ key }) => key)}::text[]) as asked (partner_id, key)
    join orders o on o.partner_id = asked.partner_id and o.idempotency_key = asked.key collate "C"`);
  return new Map(rows.map((row) => [keyName(row.partnerId, row.key), row]));
}

/** One for each purchase that may become an order. Unused ids leave harmless gaps. */
export async function takeOrderIds(tx: Tx, count: number): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(
    sql`select nextval('orders_id_seq') as id from generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => id);
}

export async function insertOrders(
  tx: Tx,
  decisions: readonly Decision[],
  firstDueAt: (paidAt: Date) => Date,
): Promise<void> {
  if (decisions.length === 0) return;
  const column = <T>(value: (decision: Decision) => T): T[] => decisions.map(value);
  const state = (decision: Decision) => (isRefused(decision) ? states.failed : states.paid);
  await tx.run(sql`
    insert into orders (id, partner_id, idempotency_key, plan_id, product_id, status, delivery, delivery_reason, billing_mode,
      product_price, sale_price, cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code,
      supplier, supplier_plan, script, created_at, paid_at, failed_at, provision_due_at, events_ahead)
    overriding system value
    select id, partner_id, idempotency_key, plan_id, product_id, status, delivery, delivery_reason, billing_mode,
      product_price, sale_price, cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code,
      supplier, supplier_plan, script, created_at, paid_at, failed_at, provision_due_at, string_to_array(ahead, ',')
    from unnest(
      ${column(({ orderId }) => orderId)}::bigint[], ${column(({ wanted }) => wanted.partnerId)}::int[],
      ${column(({ wanted }) => wanted.key ?? null)}::text[],
      ${column(({ wanted }) => wanted.plan.id)}::int[], ${column(({ wanted }) => wanted.plan.alias)}::text[],
      ${column((decision) => state(decision).status)}::smallint[], ${column((decision) => state(decision).delivery)}::text[],
      ${column(({ reason }) => reason)}::text[], ${column(({ wallet }) => wallet.billingMode)}::text[],
      ${column(({ wanted }) => wanted.plan.listPrice)}::bigint[], ${column(({ wanted }) => wanted.price)}::bigint[],
      ${column(({ wanted }) => wanted.plan.cost ?? toMicros(0n))}::bigint[], ${column(({ wanted }) => wanted.plan.title)}::text[],
      ${column(({ wanted }) => wanted.plan.data)}::text[], ${column(({ wanted }) => wanted.plan.amountMb)}::int[],
      ${column(({ wanted }) => wanted.plan.day)}::int[], ${column(({ wanted }) => wanted.plan.isUnlimited)}::boolean[],
      ${column(({ wanted }) => wanted.plan.destination.code)}::text[], ${column(({ wanted }) => wanted.plan.supplier.slug)}::text[],
      ${column(({ wanted }) => wanted.plan.supplierPlan)}::text[],
      ${column(({ wanted }) => (wanted.script === undefined ? null : JSON.stringify(wanted.script)))}::jsonb[],
      ${column(({ wanted }) => wanted.at)}::timestamptz[],
      ${column((decision) => (isRefused(decision) ? null : decision.wanted.at))}::timestamptz[],
      ${column((decision) => (isRefused(decision) ? decision.wanted.at : null))}::timestamptz[],
      ${column((decision) => (isRefused(decision) ? null : firstDueAt(decision.wanted.at)))}::timestamptz[],
      ${column((decision) => eventsAheadOf(decision).join())}::text[]
    ) as line (id, partner_id, idempotency_key, plan_id, product_id, status, delivery, delivery_reason, billing_mode,
      product_price, sale_price, cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code,
      supplier, supplier_plan, script, created_at, paid_at, failed_at, provision_due_at, ahead)
    order by id`);
}

/** Their events did not all fit, so their later ones are not sent either. */
export async function keepQuiet(tx: Tx, orderIds: ReadonlySet<bigint>): Promise<void> {
  if (orderIds.size === 0) return;
  await tx.run(sql`update orders set is_quiet = true, events_ahead = '{}' where id = any(${[...orderIds]}::bigint[])`);
}
