import { requireOrder, targetOf } from '../../../actions/sales/order-actions.ts';
import { auditWords, authorOf } from '../../../actions/system/audit-words.ts';
import type { Catalog } from '../../../domains/catalog/catalog.ts';
import type { OrderTransfer } from '../../../domains/money/books/books.ts';
import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import { notes } from '../../../domains/partners/notes/notes.ts';
import type { KeptReading } from '../../../domains/sales/esims/esims.ts';
import { type AttemptView, attemptViews, type OrderRecord } from '../../../domains/sales/order-lists/order-lists.ts';
import { stateOf, supplierReferenceOf } from '../../../domains/sales/orders/orders.ts';
import { refundVersion } from '../../../domains/sales/refunds/refunds.ts';
import { type RecordedSupplierCall, SUPPLIER_CALLS_KEPT_MS } from '../../../domains/supply/calls/calls.ts';
import { formatCents, formatMicros, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { findBuyer, listOrderChanges } from '../../../platform/audit/audit-log.ts';
import { DAY } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type OrderTrail, readOrderTrail } from '../../../worlds/order-trail.ts';
import type { World } from '../../../worlds/world.ts';
import { bigIdOf, iso, requireMode } from '../../site/json/action.ts';
import { fieldView, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { isBoughtInPanel, placedView, timelineView } from '../../site/views/timeline.ts';
import type { OperatorCall } from '../action.ts';
import { NOTES_SHOWN, notesView } from './note-view.ts';
import { orderRow } from './order-row.ts';

/** Operators rarely change one order more than once or twice. */
const CHANGES = 50;

export type ConsoleOrderView = Awaited<ReturnType<typeof readOrderView>>;

/** An order with its whole trail, without its activation data. */
export async function readOrderView(call: OperatorCall, catalog: Catalog) {
  const { now, context } = call;
  const { db, worlds } = context;
  const mode = requireMode(call);
  const id = bigIdOf(call);
  const world = worlds[mode];
  const { partnerId } = await requireOrder(context, id, mode);
  // Brings it up to date, in the world where reads do that.
  await world.orders.find(partnerId, id);
  // Read first, so that events resent afterwards are not skipped.
  const asOf = await world.webhooks.asOf();
  const trail = await readOrderTrail(world, id);
  if (!trail) throw new Refused('order_not_found');
  const { order, money } = trail;
  const { requestId, keyId, iccid } = order;
  const [partner, power, transfers, calls, request, keys, readings, changes, buyer, written] = await Promise.all([
    findPartner(db, partnerId),
    world.books.spendingPower(partnerId),
    world.ledger.transfersOfOrder(id),
    world.supplierLog.ofOrder(id),
    requestId === null ? undefined : world.requestLog.find(partnerId, requestId, now),
    keysOf(db, partnerId),
    world.usage.last(iccid === null ? [] : [iccid]),
    listOrderChanges(db, { orderId: id, mode, target: targetOf(id, mode), limit: CHANGES }),
    isBoughtInPanel(trail) ? findBuyer(db, { orderId: id, mode }) : undefined,
    notes.ofOrder(db, mode, id, NOTES_SHOWN),
  ]);
  const names = new Map([[partnerId, partner.name]]);
  const key = keyId === null ? null : loggedKeyView(keyId, keys);
  const placed = placedView(trail, { key, isLogged: request !== undefined, buyer });
  const { steps, waiting } = timelineView(trail, placed);
  return {
    mode,
    order: {
      ...orderRow(order, names, catalog),
      billing_mode: order.billingMode,
      product_id: order.productId,
      data: order.data,
      day: order.day,
      list_price: formatCents(order.productPrice),
      cost: formatMicros(order.cost),
      /** What the supplier says it charged; null: it does not say. */
      charged: order.charged === null ? null : formatMicros(order.charged),
      idempotency_key: order.idempotencyKey,
      batch_id: order.batchId?.toString() ?? null,
      refill_of: order.refillOf === null ? null : String(order.refillOf),
      paid_at: iso(order.paidAt),
      delivered_at: iso(order.deliveredAt),
      failed_at: iso(order.failedAt),
      withdrawn_at: iso(order.withdrawnAt),
      supplier_plan: order.supplierPlan,
      our_reference: supplierReferenceOf(world, id, numberOf(order)),
      attempts: order.attempts,
      next_attempt_at: iso(order.nextAttemptAt),
    },
    ...actionsOf(trail),
    /** What the partner can spend now, before anything goes back. */
    wallet: { on_credit: power.billingMode === 'postpaid', available: formatCents(power.available) },
    placed,
    /** The call that placed it; null: there was none (`placed.in_panel`), or the request log does not have it. */
    request:
      request === undefined
        ? null
        : {
            request_id: request.requestId,
            at: iso(request.at),
            key,
            method: request.method,
            endpoint: request.endpoint,
            status: request.status,
            duration_ms: request.durationMs,
            address: request.address,
            fields: request.fields.map(fieldView),
          },
    money: money.map((line) => ({
      id: String(line.id),
      book: line.book,
      type: line.type,
      amount: formatCents(line.amount),
      balance_after: formatCents(line.balanceAfter),
      note: line.note,
      at: iso(line.at),
      entries: transfers.filter(({ movementId }) => movementId === line.id).map(entryView),
    })),
    /** The suppliers that were tried, in this order. */
    suppliers: attemptViews(order).map((attempt) => attemptView(world, id, attempt)),
    supplier_calls: calls.map(callView),
    supplier_calls_kept_days: SUPPLIER_CALLS_KEPT_MS / DAY,
    usage: usageView(iccid === null ? undefined : readings.get(iccid)),
    refund: trail.refund ? { status: trail.refund.status, reason: trail.refund.reason, note: trail.refund.note } : null,
    cancel: order.cancel?.status ?? null,
    changes: changes
      // Notes have their own place.
      .filter(({ what }) => !what.startsWith('note '))
      .toReversed()
      .map((change) => ({
        at: iso(change.at),
        who: change.who,
        what: change.what,
        after: change.after ?? null,
        by: authorOf(change.who),
        ...auditWords({ ...change, partnerId }, names),
      })),
    notes: notesView(written, call),
    steps,
    waiting,
    /** To be sent back with a request to send events again. */
    as_of: iso(asOf),
  };
}

/** What can be done about it now. The server decides again when it is done. */
function actionsOf({ order, refund, deliveries }: OrderTrail) {
  const state = stateOf(order);
  const isOpen = state === 'created' || state === 'paid' || state === 'deferred';
  const left = order.salePrice - order.refunded;
  return {
    can: {
      fail: isOpen,
      cancel: isOpen && order.cancel === null,
      retry: order.nextAttemptAt !== null,
      refund: state === 'delivered' && left > 0n,
      reveal: state === 'delivered' && order.refillOf === null && order.withdrawnAt === null,
      resend: deliveries.length > 0,
      decide: refund?.status === 'requested',
    },
    /** What is left of its price. */
    refundable: formatCents(state === 'delivered' ? toCents(left) : ZERO),
    /** The version a decision about its money applies to; sent with it. */
    refund_version: refundVersion(refund),
  };
}

const entryView = ({ debit, credit, amount }: OrderTransfer) => ({ debit, credit, amount: formatCents(amount) });

/** Of the reference of the supplier that has it, or had it last. */
const numberOf = (order: OrderRecord): number =>
  attemptViews(order).findLast(({ supplier, plan }) => supplier === order.supplier && plan === order.supplierPlan)
    ?.number ?? 1;

const attemptView = (world: World, id: bigint, { number, cost, at, ...attempt }: AttemptView) => ({
  ...attempt,
  reference: number === null ? null : supplierReferenceOf(world, id, number),
  cost: formatMicros(cost),
  at: iso(at),
});

const callView = (call: RecordedSupplierCall) => ({
  id: String(call.id),
  supplier: call.supplier,
  operation: call.operation,
  at: iso(call.at),
  duration_ms: call.durationMs,
  outcome: call.outcome,
  reason: call.reason,
  exchanges: call.exchanges,
});

export type UsageFacts = ReturnType<typeof usageView>;
export const usageView = (reading: KeptReading | undefined) =>
  reading === undefined
    ? null
    : {
        state: reading.state,
        used_mb: reading.usedMb,
        total_mb: reading.totalMb,
        activated_at: iso(reading.activatedAt),
        expires_at: iso(reading.expiresAt),
        fetched_at: iso(reading.fetchedAt),
      };
