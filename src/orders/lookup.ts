import type { Queryable } from '../db/database.ts';
import { nothing, raw, type Sql, sql } from '../db/sql.ts';
import type { Cents, Micros } from '../money/money.ts';
import { type State, states } from './transitions.ts';

/** Orders as an operator looks them up, over all partners. Activation data is never among what these read. */

/** One line of a list. */
export interface ListedOrder {
  readonly id: bigint;
  readonly partnerId: number;
  readonly status: number;
  readonly delivery: string;
  readonly deliveryReason: string;
  readonly productTitle: string;
  readonly salePrice: Cents;
  readonly supplier: string;
  readonly supplierOrder: string | null;
  readonly iccid: string | null;
  /** The partner's own; empty: none was given. */
  readonly reference: string;
  /** Set: it refilled the eSIM of this earlier order. */
  readonly refillOf: bigint | null;
  readonly refunded: Cents;
  readonly createdAt: Date;
}

const listed = sql`
  id, partner_id as "partnerId", status, delivery, delivery_reason as "deliveryReason", product_title as "productTitle",
  sale_price as "salePrice", supplier, supplier_order as "supplierOrder", iccid, reference,
  refill_of as "refillOf", refunded, created_at as "createdAt"`;

export interface OrderFilter {
  readonly partnerId: number | undefined;
  readonly reference: string | undefined;
  readonly iccid: string | undefined;
  /** `refunded`: those that got money back. */
  readonly state: State | 'refunded' | undefined;
  readonly limit: number;
}

/**
 * The newest orders that match. Each state has its own index to read from, so the cost does not depend on how many orders there
 * are: those that came to nothing (failed, created) are in one partial index, by partner, and so are those that were refunded;
 * open ones are those with a due time; all others are delivered.
 */
export function listOrders(db: Queryable, filter: OrderFilter): Promise<ListedOrder[]> {
  const { iccid, reference, limit } = filter;
  if (iccid !== undefined) {
    const named = reference === undefined ? nothing : sql`and reference = ${reference}`;
    const isWanted = sql`iccid = ${iccid} ${named} ${ofPartner(filter)} ${inState(filter.state)}`;
    return db.query(sql`select ${listed} from orders where ${isWanted} order by id desc limit ${limit}`);
  }
  // `limit 1` makes the planner fetch row by row; by averages it would rather read the whole table along its key.
  return db.query(sql`
    with newest as materialized (select id from (${newestIds(filter)}) as matching order by id desc limit ${limit})
    select found.* from newest cross join lateral (
      select ${listed} from orders where orders.id = newest.id limit 1
    ) as found order by found.id desc`);
}

function newestIds(filter: OrderFilter): Sql {
  const { partnerId, reference, state, limit } = filter;
  if (reference !== undefined)
    return newestOfEach(filter, sql`reference = ${reference} and reference <> '' ${inState(state)}`);
  const newest = (where: Sql) => sql`(select id from orders where ${where} order by id desc limit ${limit})`;
  switch (state) {
    case undefined:
      return partnerId === undefined
        ? newest(sql`true`)
        : sql`${newest(sql`status <> 2 ${ofPartner(filter)}`)} union all ${newest(sql`status = 2 ${ofPartner(filter)}`)}`;
    case 'delivered':
      return newest(sql`status <> 2 ${ofPartner(filter)} ${inState(state)}`);
    case 'paid':
    case 'deferred':
      return newest(sql`provision_due_at is not null ${ofPartner(filter)} ${inState(state)}`);
    case 'created':
    case 'failed':
      return newestOfEach(filter, sql`status = ${statusOf(state)}`);
    case 'refunded':
      return newestOfEach(filter, isRefunded);
  }
}

/** For an index that is by partner: the newest of all are among the newest of each. */
const newestOfEach = ({ partnerId, limit }: OrderFilter, where: Sql): Sql => sql`
  select recent.id from ${partnerId === undefined ? sql`shared.partners` : sql`(select ${partnerId}::int as id)`} as owner
  cross join lateral (
    select id from orders where partner_id = owner.id and ${where} order by id desc limit ${limit}
  ) as recent`;

const isRefunded = sql`refunded > 0 and status <> 2`;

/** Written out, because a partial index is only used for a status the planner can see. */
const statusOf = (state: State): Sql => raw(String(states[state].status));
const ofPartner = ({ partnerId }: OrderFilter): Sql =>
  partnerId === undefined ? nothing : sql`and partner_id = ${partnerId}`;
function inState(state: OrderFilter['state']): Sql {
  if (state === undefined) return nothing;
  if (state === 'refunded') return sql`and ${isRefunded}`;
  return sql`and status = ${statusOf(state)} and delivery = ${states[state].delivery}`;
}

/** A partner may give one reference to all its orders. */
const FOUND_BY_REFERENCE = 100;

/** Orders with this id, this ICCID, this number at their supplier, or this reference, newest first. */
export function findOrders(db: Queryable, id: bigint | undefined, text: string): Promise<ListedOrder[]> {
  return db.query(sql`
    select ${listed} from orders join (
      select id from orders where id = ${id ?? null}::bigint
      union select id from orders where iccid = ${text}
      union select id from orders where supplier_order = ${text}
      union (
        select recent.id from shared.partners cross join lateral (
          select id from orders where partner_id = partners.id and reference = ${text} and reference <> ''
          order by id desc limit ${FOUND_BY_REFERENCE}
        ) as recent order by recent.id desc limit ${FOUND_BY_REFERENCE}
      )
    ) as found using (id) order by id desc`);
}

/** An open order that has waited, with what its supplier was asked. */
export interface WaitingOrder {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly deliveryReason: string | null;
  readonly attempts: number;
  readonly paidAt: Date;
  /** When it was reported as overdue; null: not yet. */
  readonly overdueAt: Date | null;
}

/** Paid orders still not delivered, longest waiting first: those reported as overdue, or those paid before a time. */
export function waitingOrders(db: Queryable, paidBefore?: Date): Promise<WaitingOrder[]> {
  const isLate = paidBefore === undefined ? sql`overdue_at is not null` : sql`paid_at < ${paidBefore}`;
  return db.query(sql`
    select id as "orderId", partner_id as "partnerId", supplier, supplier_plan as "supplierPlan",
      delivery_reason as "deliveryReason", provision_attempts as attempts, paid_at as "paidAt", overdue_at as "overdueAt"
    from orders where ${isLate} and provision_due_at is not null order by id limit 1000`);
}

/** Everything on record about one order. */
export interface OrderRecord extends ListedOrder {
  /** Of the call that placed it, and its key; null: from before that was recorded. */
  readonly requestId: string | null;
  readonly keyId: number | null;
  readonly idempotencyKey: string | null;
  readonly billingMode: string;
  readonly productId: string;
  readonly data: string;
  readonly day: number;
  readonly countryCode: string;
  readonly productPrice: Cents;
  readonly cost: Micros;
  /** What the supplier says it charged; null: it does not say. */
  readonly charged: Micros | null;
  readonly supplierPlan: string;
  readonly orderedAt: Date | null;
  /** When it last went out to the supplier: with the payment unless noted. Null: it surely did not. */
  readonly sentAt: Date | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly overdueAt: Date | null;
  readonly paidAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly failedAt: Date | null;
}

export function readOrder(db: Queryable, id: bigint): Promise<OrderRecord | undefined> {
  return db.maybe(sql`
    select ${listed}, request_id as "requestId", key_id as "keyId", idempotency_key as "idempotencyKey", billing_mode as "billingMode", product_id as "productId", data, day,
      country_code as "countryCode", product_price as "productPrice", cost_micros as cost, charged_micros as charged, supplier_plan as "supplierPlan",
      nullif(ordered_at, '-infinity') as "orderedAt", nullif(coalesce(ordered_at, paid_at), '-infinity') as "sentAt", provision_attempts as attempts, provision_due_at as "nextAttemptAt",
      overdue_at as "overdueAt", paid_at as "paidAt", delivered_at as "deliveredAt", failed_at as "failedAt"
    from orders where id = ${id}`);
}

/** More than anybody adds to one eSIM. */
const MOST_REFILLS = 100;

/** The orders that refilled the eSIM of this one, whatever became of them, oldest first. */
export function refillsOf(db: Queryable, id: bigint): Promise<ListedOrder[]> {
  return db.query(sql`select ${listed} from orders where refill_of = ${id} order by id limit ${MOST_REFILLS}`);
}
