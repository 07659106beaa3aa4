import type { Cents, Micros } from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import {
  type Attempt,
  type Cancel,
  type CancelMarks,
  isCancelled,
  isHeld,
  isSamePlan,
  orderAttempts,
  orderCancels,
  type State,
  stateOf,
  supplierIn,
} from '../orders/orders.ts';
import { newestReferred } from './spellings.ts';
import type { OrderLine, OrderSummary } from './summaries.ts';

/** Orders as operators look them up, over all partners. None of these reads activation data. */

export interface ListedOrder
  extends OrderLine,
    Pick<OrderSummary, 'delivery' | 'deliveryReason' | 'isCancelled' | 'batchId'> {
  readonly partnerId: number;
  readonly supplier: string;
  readonly supplierOrder: string | null;
  /** When it was reported as overdue; null: it was not. */
  readonly overdueAt: Date | null;
  /** Since when it waits for a person, because what its supplier sent cannot be right, and what that was; null: it does not. */
  readonly heldAt: Date | null;
  readonly heldReason: string | null;
  /** Another supplier than the one whose plan was sold was tried. */
  readonly isRouted: boolean;
  /** What its supplier charged or, where it does not say, charges for its plan; 0: unknown. */
  readonly bought: Micros;
}

export const listed = sql`
  id, partner_id as "partnerId", status, delivery, delivery_reason as "deliveryReason", ${isCancelled} as "isCancelled", product_title as "productTitle",
  sale_price as "salePrice", ${supplierIn(sql`supplier`)} as supplier, supplier_order as "supplierOrder", iccid, reference,
  refill_of as "refillOf", batch_id as "batchId", refunded, created_at as "createdAt", country_code as "countryCode", overdue_at as "overdueAt",
  case when ${isHeld} then held_at end as "heldAt", case when ${isHeld} then held_reason end as "heldReason",
  exists (select from order_attempts where order_id = orders.id and position > 1) as "isRouted",
  coalesce(charged_micros, cost_micros) as bought`;

/** A partner may give one reference to all its orders. */
const FOUND_BY_REFERENCE = 100;

/** Orders with this id, this ICCID, this number at their supplier, or this reference, newest first. */
export function findOrders(db: Queryable, id: bigint | undefined, text: string): Promise<ListedOrder[]> {
  return db.query(sql`
    select ${listed} from orders join (
      select id from orders where id = ${id ?? null}::bigint
      union select id from orders where iccid = ${text}
      union select id from orders where supplier_order = ${text}
      union ${newestReferred(text, nothing, FOUND_BY_REFERENCE)}
    ) as found using (id) order by id desc`);
}

/** An open order that has waited, with what was sent to its supplier. */
export interface WaitingOrder {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly deliveryReason: string | null;
  readonly attempts: number;
  readonly paidAt: Date;
  readonly overdueAt: Date | null;
  /** Why it waits for a person; null: it does not. */
  readonly heldReason: string | null;
}

/** Paid orders still not delivered, longest waiting first: those reported as overdue or held, or those paid before a time. */
export function waitingOrders(db: Queryable, paidBefore?: Date): Promise<WaitingOrder[]> {
  const isLate = paidBefore === undefined ? sql`(overdue_at is not null or ${isHeld})` : sql`paid_at < ${paidBefore}`;
  return db.query(sql`
    select id as "orderId", partner_id as "partnerId", ${supplierIn(sql`supplier`)} as supplier, supplier_plan as "supplierPlan",
      delivery_reason as "deliveryReason", provision_attempts as attempts, paid_at as "paidAt", overdue_at as "overdueAt", held_reason as "heldReason"
    from orders where ${isLate} and provision_due_at is not null order by id limit 1000`);
}

export interface OrderRecord extends ListedOrder, OrderSummary {
  /** Of the call that placed it; null: from before that was recorded. */
  readonly requestId: string | null;
  readonly billingMode: string;
  readonly productPrice: Cents;
  readonly cost: Micros;
  /** What the supplier says it charged; null: it does not say. */
  readonly charged: Micros | null;
  readonly supplierPlan: string;
  /** The suppliers that were tried; empty: only its own. */
  readonly attempted: readonly Attempt[];
  readonly orderedAt: Date | null;
  /** When it was last sent to the supplier: with the payment unless noted. Null: certainly never. */
  readonly sentAt: Date | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  /** When the supplier withdrew its eSIM; null: it did not. */
  readonly withdrawnAt: Date | null;
  /** Null: none was requested. */
  readonly cancel: Cancel | null;
}

export async function readOrder(db: Queryable, id: bigint): Promise<OrderRecord | undefined> {
  const [order] = await readOrders(db, [id]);
  return order;
}

/** Several at once, in no order. */
export async function readOrders(db: Queryable, ids: readonly bigint[]): Promise<OrderRecord[]> {
  const rows = await db.query<RecordedRow>(
    sql`select ${recorded}, ${orderAttempts.ofOrder(sql`orders.id`)} as attempted from orders where id = any(${ids}::bigint[])`,
  );
  return rows.map((row) => ({ ...row, attempted: orderAttempts.read(row.attempted), cancel: orderCancels.of(row) }));
}

type RecordedRow = Omit<OrderRecord, 'attempted' | 'cancel'> &
  CancelMarks & { attempted: Parameters<typeof orderAttempts.read>[0] };

const recorded = sql`${listed}, request_id as "requestId", key_id as "keyId", idempotency_key as "idempotencyKey", billing_mode as "billingMode", product_id as "productId", data, day,
      product_price as "productPrice", cost_micros as cost, charged_micros as charged, supplier_plan as "supplierPlan",
      nullif(ordered_at, '-infinity') as "orderedAt", nullif(coalesce(ordered_at, paid_at), '-infinity') as "sentAt", provision_attempts as attempts, provision_due_at as "nextAttemptAt",
      paid_at as "paidAt", delivered_at as "deliveredAt", failed_at as "failedAt",
      withdrawn_at as "withdrawnAt", ${orderCancels.columns}`;

/** More than anybody adds to one eSIM. */
const MOST_REFILLS = 100;

/** The orders that refilled the eSIM of this one, whatever their outcome, oldest first. */
export function refillsOf(db: Queryable, id: bigint): Promise<ListedOrder[]> {
  return db.query(sql`select ${listed} from orders where refill_of = ${id} order by id limit ${MOST_REFILLS}`);
}

/** The state of a live order, on the owner's connection; undefined: it does not exist. */
export async function orderState(tx: Tx, id: bigint): Promise<State | undefined> {
  const order = await tx.maybe<{ status: number; delivery: string }>(sql`
    select status, delivery from orders where id = ${id}`);
  return order && stateOf(order);
}

export interface AttemptView {
  readonly supplier: string;
  readonly plan: string;
  /** Of its reference; null: it was not called. */
  readonly number: number | null;
  readonly cost: Micros;
  readonly outcome: string;
  readonly reason: string;
  readonly at: Date;
}

/**
 * In the order in which they were tried. An order that went only to its own supplier has one; an order that was never paid has
 * none.
 */
export function attemptViews(order: OrderRecord): AttemptView[] {
  const { supplier, supplierPlan, cost, paidAt, sentAt } = order;
  if (paidAt === null) return [];
  const end = endOf(order);
  if (order.attempted.length === 0)
    return [{ supplier, plan: supplierPlan, number: 1, cost, ...end, at: sentAt ?? paidAt }];
  return order.attempted.map((attempt) => ({
    supplier: attempt.supplier,
    plan: attempt.supplierPlan,
    number: attempt.number,
    cost: attempt.cost,
    ...(isSamePlan(attempt, order) ? lastOf(order, attempt) : { outcome: attempt.outcome, reason: attempt.reason }),
    at: attempt.at,
  }));
}

/** Of the supplier that has the order, or had it last. */
function lastOf(order: OrderRecord, { outcome, reason }: Attempt) {
  const isNoted = outcome !== 'asked' && stateOf(order) !== 'delivered';
  return isNoted ? { outcome, reason } : endOf(order);
}

/** What an order says of its supplier's answer. */
function endOf(order: OrderRecord): { outcome: string; reason: string } {
  const { deliveryReason: reason } = order;
  switch (stateOf(order)) {
    case 'delivered':
      return { outcome: 'delivered', reason: '' };
    case 'failed':
      return { outcome: 'refused', reason };
    case 'deferred':
      return { outcome: reason === 'awaiting_profile' ? 'pending' : 'unavailable', reason };
    default:
      return { outcome: 'asked', reason };
  }
}
