import { columnsOf } from '../db/columns.ts';
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

/** One for each purchase that may become an order. Unused ids leave harmless gaps. */
export async function takeOrderIds(tx: Tx, count: number): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(
    sql`select nextval('orders_id_seq') as id from generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => id);
}

/** A decided purchase as its row is written. */
interface OrderLine extends Decision {
  readonly state: (typeof states)['paid' | 'failed'];
  readonly paidAt: Date | null;
  readonly failedAt: Date | null;
  readonly dueAt: Date | null;
}

const columns = columnsOf<OrderLine>()({
  id: ['bigint', ({ orderId }) => orderId],
  partner_id: ['int', ({ wanted }) => wanted.partnerId],
  key_id: ['int', ({ wanted }) => wanted.keyId ?? null],
  request_id: ['uuid', ({ wanted }) => wanted.requestId ?? null],
  idempotency_key: ['text', ({ wanted }) => wanted.key ?? null],
  reference: ['text', ({ wanted }) => wanted.reference],
  refill_of: ['bigint', ({ wanted }) => wanted.refillOf?.orderId ?? null],
  iccid: ['text', ({ wanted }) => wanted.refillOf?.iccid ?? null],
  plan_id: ['int', ({ wanted }) => wanted.plan.id],
  product_id: ['text', ({ wanted }) => wanted.plan.alias],
  status: ['smallint', ({ state }) => state.status],
  delivery: ['text', ({ state }) => state.delivery],
  delivery_reason: ['text', ({ reason }) => reason],
  billing_mode: ['text', ({ wallet }) => wallet.billingMode],
  product_price: ['bigint', ({ wanted }) => wanted.plan.listPrice],
  sale_price: ['bigint', ({ wanted }) => wanted.price],
  cost_micros: ['bigint', ({ wanted }) => wanted.plan.cost ?? toMicros(0n)],
  product_title: ['text', ({ wanted }) => wanted.plan.title],
  data: ['text', ({ wanted }) => wanted.plan.data],
  amount_mb: ['int', ({ wanted }) => wanted.plan.amountMb],
  day: ['int', ({ wanted }) => wanted.plan.day],
  is_unlimited: ['boolean', ({ wanted }) => wanted.plan.isUnlimited],
  country_code: ['text', ({ wanted }) => wanted.plan.destination.code],
  supplier: ['text', ({ wanted }) => wanted.plan.supplier.slug],
  supplier_plan: ['text', ({ wanted }) => wanted.plan.supplierPlan],
  script: ['jsonb', ({ wanted }) => (wanted.script === undefined ? null : JSON.stringify(wanted.script))],
  created_at: ['timestamptz', ({ wanted }) => wanted.at],
  paid_at: ['timestamptz', ({ paidAt }) => paidAt],
  failed_at: ['timestamptz', ({ failedAt }) => failedAt],
  provision_due_at: ['timestamptz', ({ dueAt }) => dueAt],
  events_ahead: ['text', (decision) => eventsAheadOf(decision).join(), `string_to_array(events_ahead, ',')`],
});

const insertLines = columns.statement(sql`
  insert into orders (${columns.names}) overriding system value
  select ${columns.stored} from ${columns.unnested} order by id`);

export async function insertOrders(
  tx: Tx,
  decisions: readonly Decision[],
  firstDueAt: (paidAt: Date) => Date,
): Promise<void> {
  if (decisions.length === 0) return;
  const lines = decisions.map((decision): OrderLine => {
    const { at } = decision.wanted;
    return isRefused(decision)
      ? { ...decision, state: states.failed, paidAt: null, failedAt: at, dueAt: null }
      : { ...decision, state: states.paid, paidAt: at, failedAt: null, dueAt: firstDueAt(at) };
  });
  await tx.run(insertLines(lines));
}

/** Their events did not all fit, so their later ones are not sent either. */
export async function keepQuiet(tx: Tx, orderIds: ReadonlySet<bigint>): Promise<void> {
  if (orderIds.size === 0) return;
  await tx.run(sql`update orders set is_quiet = true, events_ahead = '{}' where id = any(${[...orderIds]}::bigint[])`);
}
