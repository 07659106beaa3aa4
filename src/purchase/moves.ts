import type { Queryable, Tx } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';
import { lockWallets, type Micros, refundOrders } from '../money/money.ts';
import { eventOf, type State, stateOf, states } from '../orders/orders.ts';
import type { Esim, RefilledEsim } from '../suppliers/suppliers.ts';
import type { Vault } from '../vault/secrets.ts';
import type { OrderEvent, Webhooks } from '../webhooks/webhooks.ts';

/** An open order's next step, decided on the state it was last seen in. */
export interface Move {
  readonly orderId: bigint;
  readonly partnerId: number;
  /** The partner's own; the event carries it. */
  readonly reference: string;
  /** The eSIM it refills; null: it brings a new one. */
  readonly refillOf: RefilledEsim | null;
  /** `created`: its charge stopped half-way and an operator gives it up. */
  readonly from: 'created' | 'paid' | 'deferred';
  readonly to: 'delivered' | 'deferred' | 'failed';
  /** `delivery_reason`. */
  readonly reason: string;
  readonly supplierOrder?: string | null;
  readonly esim?: Esim;
  /** What the supplier says it charged. */
  readonly charged?: Micros | undefined;
  /** When provisioning looks at it again. Only a deferred order has one. */
  readonly dueAt?: Date;
  readonly at: Date;
  /** The partner had no subscription at the charge. If that still holds, the event is skipped, which saves building and sealing it. */
  readonly isUnheard?: boolean;
}

/** An order as it stands after a move was attempted. */
export interface Standing {
  readonly state: State;
  readonly reason: string;
  readonly supplierOrder: string | null;
  /** False: the order had already left the state the move starts from, so nothing was done. */
  readonly moved: boolean;
}

export interface MoveParts {
  readonly vault: Vault;
  readonly webhooks: Webhooks;
}

/** Carries out a batch of moves that give no money back. */
export async function carryOut(db: Queryable, parts: MoveParts, moves: readonly Move[]): Promise<Standing[]> {
  const standings = await attempt(db, parts, moves);
  const skipped = moves.filter(({ isUnheard }, i) => isUnheard && !standings[i]?.moved);
  if (skipped.length === 0) return standings;
  // The partner may have subscribed in the meantime: try again, with the events.
  const again = await attempt(
    db,
    parts,
    skipped.map((move) => ({ ...move, isUnheard: false })),
  );
  const second = new Map(skipped.map((move, i) => [move, again[i]]));
  return standings.map((standing, i) => second.get(moves[i] as Move) ?? standing);
}

/**
 * One statement updates the orders, seals their activation data and queues their events. A move happens only from the state it was
 * decided on, so if two processes hold the same order, only one of them moves it. A move without its event happens only while the
 * partner has no subscription.
 */
async function attempt(db: Queryable, { vault, webhooks }: MoveParts, moves: readonly Move[]): Promise<Standing[]> {
  const heard = moves.filter(({ isUnheard }) => !isUnheard);
  const rows = await db.query<{ id: bigint; supplierOrder: string | null }>(sql`
    with moved as (
      update orders set status = move.status, delivery = move.delivery, delivery_reason = move.reason,
        supplier_order = coalesce(move.supplier_order, orders.supplier_order),
        esim = move.esim, iccid = coalesce(move.iccid, orders.iccid), charged_micros = move.charged, provision_due_at = move.due_at,
        delivered_at = case when move.delivery = 'delivered' then move.at end,
        failed_at = case when move.delivery = 'failed' then move.at end,
        events_ahead = case when move.delivery = 'deferred' then array_remove(events_ahead, 'order.deferred') else '{}' end,
        watch_due_at = case when move.delivery = 'delivered' and orders.refill_of is null and not orders.is_quiet
          then ${webhooks.firstReadingAt(sql`orders.partner_id`, sql`move.at`)} end
      from unnest(
        ${moves.map(({ orderId }) => orderId)}::bigint[], ${moves.map(({ from }) => states[from].status)}::smallint[],
        ${moves.map(({ from }) => states[from].delivery)}::text[],
        ${moves.map(({ to }) => states[to].status)}::smallint[], ${moves.map(({ to }) => states[to].delivery)}::text[],
        ${moves.map(({ reason }) => reason)}::text[], ${moves.map(({ supplierOrder }) => supplierOrder ?? null)}::text[],
        ${moves.map(({ esim }) => (esim ? vault.seal(JSON.stringify(esim)) : null))}::bytea[],
        ${moves.map(({ esim }) => esim?.iccid ?? null)}::text[], ${moves.map(({ charged }) => charged ?? null)}::bigint[],
        ${moves.map(({ dueAt }) => dueAt ?? null)}::timestamptz[],
        ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ isUnheard }) => isUnheard ?? false)}::boolean[]
      ) as move
        (id, from_status, from_delivery, status, delivery, reason, supplier_order, esim, iccid, charged, due_at, at, is_unheard)
      where orders.id = move.id and orders.status = move.from_status and orders.delivery = move.from_delivery
        and not (move.is_unheard and ${webhooks.hasSubscriber(sql`orders.partner_id`)})
      returning orders.id, orders.supplier_order, orders.is_quiet, orders.iccid, orders.partner_id, orders.refill_of, move.at
    ), ${readAgain(moves, webhooks)} ${webhooks.announce(heard.flatMap(eventFor), sql`select id from moved where not is_quiet`)}
    select id, supplier_order as "supplierOrder" from moved left join hinted on true`);
  const moved = new Map(rows.map((row) => [row.id, row]));
  const lost = await standingOf(
    db,
    moves.filter(({ orderId }) => !moved.has(orderId)).map(({ orderId }) => orderId),
  );
  return moves.map(({ orderId, to, reason }) => {
    const row = moved.get(orderId);
    return row ? { state: to, reason, supplierOrder: row.supplierOrder, moved: true } : found(lost.get(orderId));
  });
}

/**
 * What is known of an eSIM's usage is no longer true once it was refilled, and its thresholds and its end have moved. An order that
 * another transaction holds is skipped rather than waited for: its eSIM is then read when it would have been.
 */
function readAgain(moves: readonly Move[], webhooks: Webhooks): Sql {
  const refilled = moves.flatMap(({ to, refillOf }) => (to === 'delivered' && refillOf ? [refillOf.iccid] : []));
  if (refilled.length === 0) return nothing;
  return sql`dropped as (
      update usage_readings set fresh_until = '-infinity', asking_until = '-infinity'
      where iccid = any(${refilled}::text[]) and iccid in (select iccid from moved)
    ), watched as (
      update orders set watch_due_at = ${webhooks.firstReadingAt(sql`moved.partner_id`, sql`moved.at`)}
      from moved where orders.id = moved.refill_of and orders.id in (
        select id from orders where id in (select refill_of from moved) and not is_quiet for update skip locked)
    ),`;
}

/** The same for moves that may fail a paid order: its refund is part of the transaction that marks it failed. */
export async function carryOutRefunding(tx: Tx, parts: MoveParts, moves: readonly Move[]): Promise<Standing[]> {
  const standings = await carryOut(tx, parts, moves);
  const failed = moves.filter(({ to }, i) => to === 'failed' && standings[i]?.moved);
  const [first] = failed;
  if (first) {
    const partnerIds = [...new Set(failed.map(({ partnerId }) => partnerId))];
    await refundOrders(tx, await lockWallets(tx, partnerIds), failed, 'order not delivered', first.at);
  }
  return standings;
}

function eventFor({ orderId, partnerId, reference, refillOf, from, to, reason, esim, at }: Move): OrderEvent[] {
  const event = eventOf(from, to);
  if (event === null) return [];
  return [
    {
      partnerId,
      orderId,
      reference,
      event,
      delivery: states[to].delivery,
      deliveryReason: reason,
      iccid: esim?.iccid ?? (to === 'delivered' ? (refillOf?.iccid ?? '') : ''),
      qrCode: esim?.activationCode ?? '',
      occurredAt: at.getTime(),
    },
  ];
}

async function standingOf(db: Queryable, orderIds: readonly bigint[]): Promise<Map<bigint, Standing>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db.query<{
    id: bigint;
    status: number;
    delivery: string;
    reason: string;
    supplierOrder: string | null;
  }>(sql`
    select id, status, delivery, delivery_reason as reason, supplier_order as "supplierOrder"
    from orders where id = any(${orderIds}::bigint[])`);
  return new Map(
    rows.map((row) => [
      row.id,
      { state: stateOf(row), reason: row.reason, supplierOrder: row.supplierOrder, moved: false },
    ]),
  );
}

/** Its world was reset while the order was on its way. Where money is real no order can be deleted: that role has no right to. */
export class OrderGone extends Error {}

function found(standing: Standing | undefined): Standing {
  if (!standing) throw new OrderGone('the order was deleted');
  return standing;
}
