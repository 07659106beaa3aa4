import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { OrderEvent } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { lockWallets, refundOrders } from '../../money/ledger/ledger.ts';
import type { RefilledEsim } from '../../supply/port/port.ts';
import { eventOf, movedOrders, type OrderMove, type State, stateOf, states, watchRefilled } from '../orders/orders.ts';
import { tellWhole } from '../refunds/refunds.ts';
import { outdated } from '../usage/usage.ts';

export interface Move extends OrderMove {
  readonly partnerId: number;
  /** The partner's own; the event carries it. */
  readonly reference: string;
  /** The eSIM it refills; null: it brings a new one. */
  readonly refillOf: RefilledEsim | null;
  /** For an order that fails though its supplier has delivered: takes back what it has taken. */
  readonly release?: (tx: Tx) => Promise<void>;
  /** The request it is made for: moves of several are carried out together. */
  readonly cause?: string | undefined;
}

export interface MoveResult {
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

/**
 * Carries out a batch of moves without refunds. If two callers move the same order in one batch, the first one moves it and the
 * other
 * finds it moved, as it would have a moment later.
 */
export async function carryOut(db: Queryable, parts: MoveParts, moves: readonly Move[]): Promise<MoveResult[]> {
  const first = new Map(moves.map((move) => [move.orderId, move] as const).reverse());
  const each = [...first.values()];
  const results = await moveEach(db, parts, each);
  const byOrder = new Map(each.map(({ orderId }, i) => [orderId, results[i] as MoveResult]));
  return moves.map((move) => {
    const result = byOrder.get(move.orderId) as MoveResult;
    return first.get(move.orderId) === move ? result : { ...result, moved: false };
  });
}

/** Moves of different orders. */
async function moveEach(db: Queryable, parts: MoveParts, moves: readonly Move[]): Promise<MoveResult[]> {
  const results = await attempt(db, parts, moves);
  const skipped = moves.filter(({ hasNoSubscriber }, i) => hasNoSubscriber && !results[i]?.moved);
  if (skipped.length === 0) return results;
  // The partner may have subscribed in the meantime: try again, with the events.
  const again = await attempt(
    db,
    parts,
    skipped.map((move) => ({ ...move, hasNoSubscriber: false })),
  );
  const second = new Map(skipped.map((move, i) => [move, again[i]]));
  return results.map((result, i) => second.get(moves[i] as Move) ?? result);
}

/** One statement moves the orders and queues their events. Where there are none, it leaves out the parts that would. */
async function attempt(db: Queryable, { vault, webhooks }: MoveParts, moves: readonly Move[]): Promise<MoveResult[]> {
  const events = moves.flatMap((move) => (move.hasNoSubscriber ? [] : eventFor(move)));
  const isSilent = events.length === 0;
  const announced = isSilent
    ? nothing
    : sql`, ${webhooks.announce(events, sql`select id from moved where not is_quiet`)}`;
  const rows = await db.query<{ id: bigint; supplierOrder: string | null }>(sql`
    with ${movedOrders(moves, vault, webhooks)} ${readAgain(moves, webhooks)} ${announced}
    select id, supplier_order as "supplierOrder" from moved ${isSilent ? nothing : sql`left join hinted on true`}`);
  const moved = new Map(rows.map((row) => [row.id, row]));
  const lost = await statesOf(
    db,
    moves.filter(({ orderId }) => !moved.has(orderId)).map(({ orderId }) => orderId),
  );
  return moves.map(({ orderId, to, reason }) => {
    const row = moved.get(orderId);
    return row ? { state: to, reason, supplierOrder: row.supplierOrder, moved: true } : found(lost.get(orderId));
  });
}

/** What is known of an eSIM's usage is no longer true once it was refilled, and its thresholds and its end have moved. */
function readAgain(moves: readonly Move[], webhooks: Webhooks): Sql {
  const refilled = moves.flatMap(({ to, refillOf }) => (to === 'delivered' && refillOf ? [refillOf.iccid] : []));
  if (refilled.length === 0) return nothing;
  return sql`, dropped as (
      ${outdated(sql`iccid = any(${refilled}::text[]) and iccid in (select iccid from moved)`)}
    ), ${watchRefilled(webhooks)}`;
}

/**
 * The same for moves that may fail a paid order: its refund is part of the transaction that marks it failed. The wallets of those
 * are locked before the first order is.
 */
export async function carryOutRefunding(tx: Tx, parts: MoveParts, moves: readonly Move[]): Promise<MoveResult[]> {
  const failing = moves.filter(({ to }) => to === 'failed').map(({ partnerId }) => partnerId);
  const wallets = failing.length > 0 ? await lockWallets(tx, [...new Set(failing)]) : new Map();
  const results = await carryOut(tx, parts, moves);
  const failed = moves.filter(({ to }, i) => to === 'failed' && results[i]?.moved);
  const [first] = failed;
  if (first) {
    await refundOrders(tx, wallets, failed, 'order not delivered', first.at);
    await tellWhole(
      tx,
      failed.map(({ orderId }) => orderId),
    );
    for (const { release } of failed) await release?.(tx);
  }
  return results;
}

function eventFor({ orderId, partnerId, reference, refillOf, from, to, reason, esim, at, cause }: Move): OrderEvent[] {
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
      cause,
    },
  ];
}

async function statesOf(db: Queryable, orderIds: readonly bigint[]): Promise<Map<bigint, MoveResult>> {
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

function found(result: MoveResult | undefined): MoveResult {
  if (!result) throw new OrderGone('the order was deleted');
  return result;
}
