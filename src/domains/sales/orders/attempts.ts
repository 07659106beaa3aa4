import { toMicros } from '../../../platform/amounts/cents.ts';
import { typedBigIdIn } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Offer } from '../../supply/routes/routes.ts';

/*
 * Who delivers an order, when that may be another supplier than the one whose plan was sold.
 *
 * The order keeps what was sold: product, title, price, data, days. Its supplier, its supplier's plan and its cost are those of the
 * supplier being tried, and in the end of the one that delivered it, so that usage, refills, withdrawals, charges and margins
 * follow without a further lookup. Suppliers tried before are in `order_attempts`; an order that went only to its own supplier has
 * no row there.
 *
 * An order moves on to the next supplier in one statement, before that supplier is called: the attempt with its number, and
 * therefore its reference, is on record before it can reach a supplier. The statement requires that the order is still with the
 * supplier that was asked last, that no other process has claimed it since (`provision_attempts`), and that no cancel was requested.
 */

/** A plan of a supplier that is asked to deliver an order. */
export type AttemptedPlan = Offer;

type AttemptOutcome = 'passed_over' | 'asked' | 'refused' | 'unavailable' | 'unknown' | 'pending';

export interface Attempt extends AttemptedPlan {
  readonly position: number;
  /** Of its reference; null: it was not called. */
  readonly number: number | null;
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  readonly at: Date;
}

export const isSamePlan = (a: AttemptedPlan, b: Pick<AttemptedPlan, 'supplier' | 'supplierPlan'>): boolean =>
  a.supplier === b.supplier && a.supplierPlan === b.supplierPlan;

/** `orders.supplier` of an open order at this number of its references. */
const marked = (supplier: string, number: number): string => (number > 1 ? `${supplier}#${number}` : supplier);

/** The slug in `orders.supplier`, whatever the number of the reference. */
export const supplierIn = (column: Sql): Sql => sql`split_part(${column}, '#', 1)`;
/** The number of the reference, in the same column. */
const numberIn = (column: Sql): Sql => sql`coalesce(nullif(split_part(${column}, '#', 2), ''), '1')::int`;

const columns = sql`order_id, position, number, supplier, supplier_plan, cost_micros, amount_mb, day, outcome, reason, at`;

const rowsOf = (attempts: readonly (Attempt & { readonly orderId: bigint })[]): Sql => sql`unnest(
  ${attempts.map(({ orderId }) => orderId)}::bigint[], ${attempts.map(({ position }) => position)}::smallint[],
  ${attempts.map(({ number }) => number)}::smallint[], ${attempts.map(({ supplier }) => supplier)}::text[],
  ${attempts.map(({ supplierPlan }) => supplierPlan)}::text[], ${attempts.map(({ cost }) => cost)}::bigint[],
  ${attempts.map(({ amountMb }) => amountMb)}::int[], ${attempts.map(({ day }) => day)}::int[],
  ${attempts.map(({ outcome }) => outcome)}::text[], ${attempts.map(({ reason }) => reason)}::text[],
  ${attempts.map(({ at }) => at)}::timestamptz[]) as row (${columns})`;

/** Orders that begin with another supplier than the plan's own. In the transaction that inserts them. */
async function insert(tx: Tx, attempts: readonly (Attempt & { readonly orderId: bigint })[]): Promise<void> {
  if (attempts.length > 0)
    await tx.run(sql`insert into order_attempts (${columns}) select ${columns} from ${rowsOf(attempts)}`);
}

interface HeldOrder {
  readonly id: bigint;
  readonly supplier: string;
  readonly supplierPlan: string;
  readonly number: number;
  /** How often it was claimed. */
  readonly attempts: number;
}

/**
 * Moves an open order from the supplier that certainly does not have it on to another one. False: it is no longer there, another
 * process has claimed it, or it is to be cancelled.
 */
async function moveOn(
  db: Queryable,
  { id, supplier, supplierPlan, number, attempts }: HeldOrder,
  left: Attempt,
  next: Attempt & { readonly number: number },
  orderedAt: Date | '-infinity',
): Promise<boolean> {
  const rows = [left, next].map((attempt) => ({ ...attempt, orderId: id }));
  const written = await db.run(sql`
    with moved as (
      update orders set supplier = ${marked(next.supplier, next.number)}, supplier_plan = ${next.supplierPlan},
        cost_micros = ${next.cost}, supplier_order = null, ordered_at = ${orderedAt}
      where id = ${id} and status = 4 and supplier = ${marked(supplier, number)} and supplier_plan = ${supplierPlan}
        and provision_attempts = ${attempts} and cancel_status is null
      returning id
    )
    insert into order_attempts (${columns})
    select ${columns} from ${rowsOf(rows)} where order_id in (select id from moved)
    on conflict (order_id, supplier, supplier_plan) do update set number = excluded.number, cost_micros = excluded.cost_micros, amount_mb = excluded.amount_mb, day = excluded.day, outcome = excluded.outcome,
      reason = excluded.reason, at = excluded.at`);
  return written > 0;
}

/** What the supplier that was asked last answered. A delivery needs no note: the order says it. */
const note = (
  db: Queryable,
  orderId: bigint,
  attempted: Pick<AttemptedPlan, 'supplier' | 'supplierPlan'>,
  outcome: AttemptOutcome,
  reason: string,
): Promise<number> =>
  db.run(sql`
    update order_attempts set outcome = ${outcome}, reason = ${reason}
    where order_id = ${orderId} and supplier = ${attempted.supplier} and supplier_plan = ${attempted.supplierPlan}`);

type JsonAttempt = Omit<Attempt, 'cost' | 'at'> & { readonly cost: number; readonly at: string };

/** Those of an order `id`, as JSON; null: only its own supplier was tried. */
const ofOrder = (id: Sql): Sql => sql`(
  select json_agg(json_build_object('position', position, 'number', number, 'supplier', supplier, 'supplierPlan', supplier_plan,
    'cost', cost_micros, 'amountMb', amount_mb, 'day', day, 'outcome', outcome, 'reason', reason, 'at', at) order by position)
  from order_attempts where order_id = ${id})`;

const read = (json: readonly JsonAttempt[] | null): Attempt[] =>
  (json ?? []).map(({ cost, at, ...attempt }) => ({ ...attempt, cost: toMicros(BigInt(cost)), at: new Date(at) }));

/** How many orders of their own plans each supplier lost to others since a time. On the owner's connection. */
const lostSince = (db: Queryable, since: Date): Promise<{ readonly supplier: string; readonly orders: number }[]> =>
  db.query(sql`
    select first.supplier, count(*)::int as orders
    from live.order_attempts first join live.orders on orders.id = first.order_id
    where first.position = 1 and first.at > ${since} and orders.status = 1 and orders.supplier <> first.supplier
    group by first.supplier`);

export const orderAttempts = { insert, moveOn, note, ofOrder, read, lostSince, numberIn };

/** Our name for an order at a supplier, the same however often it is sent. From the second supplier on it ends with a number. */
export const supplierReferenceOf = ({ schema }: { readonly schema: Mode }, orderId: bigint, number = 1): string =>
  number > 1 ? `wf-${schema}-${orderId}-${number}` : `wf-${schema}-${orderId}`;

/** The order a reference names: ours, also with the time of payment that real suppliers get in it, and with the number of a later one. */
export function orderOfReference({ schema }: { readonly schema: Mode }, text: string): bigint | undefined {
  const [, name, id = ''] = /^wf-([a-z]+)-(\d+)(?:-\d{1,12}){0,2}$/.exec(text) ?? [];
  return name === schema ? typedBigIdIn(id) : undefined;
}
