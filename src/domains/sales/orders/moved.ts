import type { Micros } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Esim } from '../../supply/port/port.ts';
import { autorefillRows } from '../autorefill-rows/autorefill-rows.ts';
import { supplierIn } from './attempts.ts';
import { esimCodes } from './esim-codes.ts';
import { soldIccids } from './sold-iccids.ts';
import { states } from './transitions.ts';

/** An open order's next step, decided on the state it was last seen in. */
export interface OrderMove {
  readonly orderId: bigint;
  /** `created`: its charge stopped half-way and an operator fails it. */
  readonly from: 'created' | 'paid' | 'deferred';
  readonly to: 'delivered' | 'deferred' | 'failed';
  /** `delivery_reason`. */
  readonly reason: string;
  readonly supplierOrder?: string | null;
  readonly esim?: Esim;
  readonly charged?: Micros | undefined;
  /** When provisioning tries it again. Only a deferred order has one. */
  readonly dueAt?: Date;
  /** The number of the attempt it is deferred after. If another process has claimed the order since, the deferral does not happen. */
  readonly attempts?: number;
  /** It is deferred until an operator has reviewed it: its supplier's answer cannot be right, for this reason. */
  readonly held?: string;
  /** It is deferred, and certainly no supplier has it. */
  readonly isFree?: boolean;
  readonly at: Date;
  /**
   * The partner had no subscription at the charge. If that still holds, the event is skipped, which saves building and sealing it.
   */
  readonly hasNoSubscriber?: boolean;
}

/** Orders that wait for a person. Servers of the previous version leave the mark on those they deliver or fail. */
export const isHeld: Sql = sql`held_at is not null and provision_due_at is not null`;

/** What a move depends on beside the order itself, as parts of its statement. */
interface MoveTerms {
  /** Whether anybody is subscribed to a partner's events. */
  hasSubscriber(partnerId: Sql): Sql;
  /**
   * When an eSIM that was delivered or refilled `at` is first read; null: its partner subscribed to no eSIM event, and nothing else makes
   * it be read.
   */
  firstReadingAt(partnerId: Sql, at: Sql, isWatched?: Sql): Sql;
}

/**
 * Moves orders and seals their activation data, as `moved` of a larger statement. A move happens only from the state it was decided
 * on, so if two processes hold the same order, only one of them moves it. A move without its event happens only while the partner
 * has no subscription. A cancel that was requested is decided by the move: a failed order is cancelled, a delivered one is to be
 * handed back, and one that no supplier has is due at once. An eSIM whose ICCID another order has is not delivered. Orders are locked in
 * the order of their ids.
 */
export function movedOrders(given: readonly OrderMove[], vault: Vault, terms: MoveTerms): Sql {
  const moves = given.toSorted((a, b) => Number(a.orderId - b.orderId));
  const claimed = soldIccids.claimed(moves);
  const codes = moves.map(({ esim }) => esimCodes.sealed(vault, esim));
  return sql`${claimed ? sql`${claimed}, ` : nothing}moved as (
      update orders set status = move.status, delivery = move.delivery, delivery_reason = move.reason,
        supplier = case when move.delivery = 'deferred' then orders.supplier else ${supplierIn(sql`orders.supplier`)} end,
        supplier_order = coalesce(move.supplier_order, orders.supplier_order),
        esim = move.esim, iccid = coalesce(move.iccid, orders.iccid), charged_micros = move.charged,
        provision_due_at = case when move.is_free and orders.cancel_status = 'requested' then move.at else move.due_at end,
        free_attempts = case when move.is_free then move.attempts else orders.free_attempts end,
        cancel_status = case when move.delivery = 'failed' and orders.cancel_status = 'requested' then 'cancelled' else orders.cancel_status end,
        cancel_decided_at = case when move.delivery = 'failed' and orders.cancel_status = 'requested' then move.at else orders.cancel_decided_at end,
        cancel_due_at = case when move.delivery = 'delivered' and orders.cancel_status = 'requested' then move.at end,
        held_reason = case when move.delivery = 'deferred' then coalesce(move.held, orders.held_reason) end,
        held_at = case when move.delivery = 'deferred' then coalesce(orders.held_at, case when move.held is not null then move.at end) end,
        delivered_at = case when move.delivery = 'delivered' then move.at end,
        failed_at = case when move.delivery = 'failed' then move.at end,
        events_ahead = case when move.delivery = 'deferred' then array_remove(events_ahead, 'order.deferred') else '{}' end,
        watch_due_at = case when move.delivery = 'delivered' and orders.refill_of is null and not orders.is_quiet
          then ${terms.firstReadingAt(sql`orders.partner_id`, sql`move.at`)} end
      from unnest(
        ${moves.map(({ orderId }) => orderId)}::bigint[], ${moves.map(({ from }) => states[from].status)}::smallint[],
        ${moves.map(({ from }) => states[from].delivery)}::text[],
        ${moves.map(({ to }) => states[to].status)}::smallint[], ${moves.map(({ to }) => states[to].delivery)}::text[],
        ${moves.map(({ reason }) => reason)}::text[], ${moves.map(({ supplierOrder }) => supplierOrder ?? null)}::text[],
        ${codes.map(({ sealed }) => sealed)}::bytea[], ${codes.map(({ key }) => key)}::bytea[],
        ${moves.map(({ esim }) => esim?.iccid ?? null)}::text[], ${moves.map(({ charged }) => charged ?? null)}::bigint[],
        ${moves.map(({ dueAt }) => dueAt ?? null)}::timestamptz[],
        ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ hasNoSubscriber }) => hasNoSubscriber ?? false)}::boolean[],
        ${moves.map(({ attempts }) => attempts ?? null)}::int[], ${moves.map(({ isFree }) => isFree ?? false)}::boolean[],
        ${moves.map(({ held }) => held ?? null)}::text[]
      ) as move
        (id, from_status, from_delivery, status, delivery, reason, supplier_order, esim, esim_key, iccid, charged, due_at, at, has_no_subscriber, attempts, is_free, held)
      where orders.id = move.id and orders.status = move.from_status and orders.delivery = move.from_delivery
        and orders.provision_attempts = coalesce(move.attempts, orders.provision_attempts)
        and not (move.has_no_subscriber and ${terms.hasSubscriber(sql`orders.partner_id`)})
        ${claimed ? sql`and (move.iccid is null or orders.id in (select order_id from claimed))` : nothing}
      returning orders.id, orders.supplier_order, orders.is_quiet, orders.iccid, orders.partner_id, orders.refill_of, move.at, move.esim_key
    )${codes.some(({ key }) => key) ? sql`, ${esimCodes.keyed}` : nothing}`;
}

/**
 * The eSIMs that orders in `moved` refilled are to be read again. One whose order another transaction holds is skipped rather than
 * waited for: it is then read when it would have been.
 */
export const watchRefilled = ({ firstReadingAt }: MoveTerms): Sql => sql`watched as (
      update orders set watch_due_at = ${firstReadingAt(sql`moved.partner_id`, sql`moved.at`, autorefillRows.isAtWork(sql`orders.id`))}
      from moved where orders.id = moved.refill_of and orders.id in (
        select id from orders where id in (select refill_of from moved) and not is_quiet for no key update skip locked)
    )`;

/**
 * As part of a statement in which `given` has the amount refunded so far. An order that is wholly refunded earns no share, so its
 * usage is not asked for any more. The caller says what it returns.
 */
const markRefunded = (orderId: bigint, isWithdrawn: boolean, at: Date): Sql => sql`
      update orders set refunded = given.amount,
        withdrawn_at = case when ${isWithdrawn} then ${at}::timestamptz else withdrawn_at end,
        usage_due_at = case when given.amount >= sale_price then 'infinity' else usage_due_at end
      from given where orders.id = ${orderId}`;

async function markWithdrawn(tx: Tx, orderId: bigint, at: Date): Promise<void> {
  await tx.run(sql`update orders set withdrawn_at = coalesce(withdrawn_at, ${at}) where id = ${orderId}`);
}

/**
 * Returns how many. Only where money is play money: the other role has no right to. They are locked in the order of their ids, as
 * `movedOrders` does: some of them may be delivered at this moment.
 */
async function forgetOrders(tx: Tx, partnerId: number): Promise<number> {
  await tx.run(sql`select from orders where partner_id = ${partnerId} order by id for update`);
  await soldIccids.forget(tx, partnerId);
  await esimCodes.forget(tx, partnerId);
  return tx.run(sql`delete from orders where partner_id = ${partnerId}`);
}

export const orderMarks = { refunded: markRefunded, withdrawn: markWithdrawn, forget: forgetOrders };
