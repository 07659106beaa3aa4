import { inUsd } from '../../../actions/action.ts';
import { requireOrder, targetOf } from '../../../actions/sales/order-trail.ts';
import { auditWords, authorOf } from '../../../actions/system/audit-words.ts';
import type { Catalog } from '../../../domains/catalog/catalog.ts';
import type { OrderTransfer } from '../../../domains/money/books/books.ts';
import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import { type Note, notes } from '../../../domains/partners/notes/notes.ts';
import { operatorRoles } from '../../../domains/partners/people/people.ts';
import type { KeptReading } from '../../../domains/sales/esims/esims.ts';
import {
  type AttemptView,
  attemptViews,
  type ListedOrder,
  type OrderRecord,
  shownStateOf,
} from '../../../domains/sales/order-lists/order-lists.ts';
import { stateOf, supplierReferenceOf } from '../../../domains/sales/orders/orders.ts';
import { refundVersion } from '../../../domains/sales/refunds/refunds.ts';
import { type RecordedSupplierCall, SUPPLIER_CALLS_KEPT_MS } from '../../../domains/supply/calls/calls.ts';
import {
  centsToMicros,
  formatCents,
  formatMicros,
  microsToCentsHalfUp,
  toCents,
  toMicros,
  ZERO,
} from '../../../platform/amounts/cents.ts';
import { findBuyer, listOrderChanges } from '../../../platform/audit/audit-log.ts';
import { DAY } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { autorefillBody } from '../../../platform/contract/resources.ts';
import { type OrderTrail, readOrderTrail, type World } from '../../../worlds/world.ts';
import { orderTitle } from '../../api/views.ts';
import { bigIdOf, iso, jsonOf, requireMode } from '../../site/json/action.ts';
import { answerView, fieldView, keysOf, loggedKeyView } from '../../site/views/records.ts';
import { isBoughtInPanel, placedView, timelineView } from '../../site/views/timeline.ts';
import type { OperatorCall } from '../action.ts';

/** Operators rarely change one order more than once or twice. */
const CHANGES = 50;

export type ConsoleOrderView = Awaited<ReturnType<typeof readOrderView>>;

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
      ...jsonOf(order, 'billingMode', 'productId', 'data', 'day'),
      list_price: formatCents(order.productPrice),
      cost: formatMicros(order.cost),
      /** What the supplier says it charged; null: it does not say. */
      charged: order.charged === null ? null : formatMicros(order.charged),
      ...jsonOf(order, 'idempotencyKey', 'refillOf'),
      ...jsonOf(order, 'paidAt', 'deliveredAt', 'failedAt', 'withdrawnAt', 'supplierPlan'),
      our_reference: supplierReferenceOf(world, id, numberOf(order)),
      ...jsonOf(order, 'attempts', 'nextAttemptAt'),
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
            ...jsonOf(request, 'requestId', 'at'),
            key,
            ...jsonOf(request, 'method', 'endpoint', 'status', 'durationMs', 'address'),
            fields: request.fields.map(fieldView),
            answer: answerView(request),
          },
    money: money.map((line) => ({
      ...jsonOf(line, 'id', 'book', 'type'),
      ...inUsd(line, 'amount', 'balanceAfter'),
      ...jsonOf(line, 'note', 'at'),
      entries: transfers.filter(({ movementId }) => movementId === line.id).map(entryView),
    })),
    /** The suppliers that were tried, in this order. */
    suppliers: attemptViews(order).map((attempt) => attemptView(world, id, attempt)),
    supplier_calls: calls.map(callView),
    supplier_calls_kept_days: SUPPLIER_CALLS_KEPT_MS / DAY,
    /** The rule by which its eSIM refills itself; null: it has none. */
    autorefill: trail.autorefill
      ? autorefillBody({ ...trail.autorefill, maxPrice: formatCents(trail.autorefill.maxPrice) })
      : null,
    usage: usageView(iccid === null ? undefined : readings.get(iccid)),
    refund: trail.refund ? { status: trail.refund.status, reason: trail.refund.reason, note: trail.refund.note } : null,
    cancel: order.cancel?.status ?? null,
    changes: changes
      // Notes have their own place.
      .filter(({ what }) => !what.startsWith('note '))
      .toReversed()
      .map((change) => ({
        ...jsonOf(change, 'at', 'who', 'what'),
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

const callView = (call: RecordedSupplierCall) =>
  jsonOf(call, 'id', 'supplier', 'operation', 'at', 'durationMs', 'outcome', 'reason', 'exchanges');

export type UsageFacts = ReturnType<typeof usageView>;
export const usageView = (reading: KeptReading | undefined) =>
  reading === undefined ? null : jsonOf(reading, 'state', 'usedMb', 'totalMb', 'activatedAt', 'expiresAt', 'fetchedAt');

export const partnerView = (id: number, names: ReadonlyMap<number, string>) => ({ id, name: names.get(id) ?? '' });

export const orderRow = (order: ListedOrder, names: ReadonlyMap<number, string>, catalog: Catalog) => ({
  id: String(order.id),
  partner: partnerView(order.partnerId, names),
  state: shownStateOf(order),
  /** Why it failed or is waiting; '' otherwise. */
  reason: order.deliveryReason,
  title: orderTitle(order, catalog),
  country_image: catalog.destination(order.countryCode)?.image ?? '',
  type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
  /** `is_routed`: another supplier than the one whose plan was sold was tried. */
  ...jsonOf(order, 'reference', 'iccid', 'batchId', 'supplier', 'isRouted', 'supplierOrder'),
  price: formatCents(order.salePrice),
  refunded: formatCents(order.refunded),
  ...costView(order),
  ...jsonOf(order, 'createdAt', 'overdueAt'),
  /** What is wrong with what its supplier sent, so that it waits for a person; null: it does not. */
  held: order.heldReason,
});

/** Of a delivered order: what it cost us, and what is left of what was charged and not given back; null: not known. */
function costView({ delivery, bought, salePrice, refunded }: ListedOrder) {
  if (delivery !== 'delivered' || bought === 0n) return { bought: null, margin: null };
  const left = toMicros(centsToMicros(toCents(salePrice - refunded)) - bought);
  return { bought: formatMicros(bought), margin: formatCents(microsToCentsHalfUp(left)) };
}

export type ConsoleOrderRow = ReturnType<typeof orderRow>;

/** Newest first; more than anybody reads. */
export const NOTES_SHOWN = 100;

export const notesView = (found: readonly Note[], { context, operator }: Pick<OperatorCall, 'context' | 'operator'>) =>
  found.map(({ noteId, author, text, writtenAt }) => ({
    id: String(noteId),
    author: author.replace(/^operator:/, ''),
    text,
    at: iso(writtenAt),
    can_delete:
      operatorRoles.may(operator.role, 'note') &&
      (author === context.who || operatorRoles.may(operator.role, 'manage')),
  }));

export type NoteView = ReturnType<typeof notesView>[number];
