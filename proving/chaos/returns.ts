import { refund } from './ledger.ts';
import type { Model, Order, RefundStatus } from './model.ts';
import { boughtOrder, canWithdraw, chainOf, isBeingReplaced, isReplaced, standIn } from './replacements.ts';
import type { OrderRow } from './snapshot.ts';
import { requireThat } from './violation.ts';

/**
 * Does the contract allow a full refund against this eSIM or, if it was replaced, against the one that stands in for it? `perhaps`: a
 * replacement is not at its end yet.
 */
export function canReturn(order: Order): 'yes' | 'no' | 'perhaps' {
  if (order.replaces) return 'no';
  const last = standIn(order);
  if (last === order) return canWithdraw(order) ? 'yes' : 'no';
  const former = chainOf(order).filter(isBeingReplaced);
  if (!former.every((one) => one.replacements.at(-1)?.became)) return 'perhaps';
  return canWithdraw(last) && former.every(({ withdrawal }) => withdrawal === 'done') ? 'yes' : 'no';
}

/** Its refund waits for a supplier, or may. */
export const isReturning = (order: Order): boolean => standIn(order).withdrawal === 'perhaps';

/** A refund made by a withdrawal: the rest of the price, all at once. */
export function withdrawn(order: Order): void {
  if (order.refunded < order.price) refund(order);
}

/** The partner sees a request for as long as the supplier is asked. */
const shown = (row: OrderRow['refund']): RefundStatus => (row === 'withdrawing' ? 'requested' : (row ?? 'none'));

/** A refund block as a partner reads it must be one the round allows. `was`: the amount refunded when they asked. */
export function requireBlock(
  model: Model,
  order: Order,
  block: { readonly status: RefundStatus; readonly amount: string } | null,
  was: number,
): void {
  model.atClose(() => {
    const what = `the refund block of ${order.world} order ${order.id}`;
    requireThat(order.refund.has(block?.status ?? 'none'), what, { block, possible: order.refund.all });
    const cents = Math.round(Number(block?.amount ?? 0) * 100);
    requireThat(!block || cents === was || cents === order.refunded, `${what}: another amount`, { block, was });
  });
}

/** The refunded amount and the refund's state must be what the model knows or allows. */
export function takeInReturn(model: Model, order: Order, row: OrderRow): void {
  const what = `${row.world} order ${row.id}`;
  if (isReturning(order) && order.state === 'delivered' && row.refunded === order.price) withdrawn(order);
  requireThat(row.refunded === order.refunded, `${what} got another amount back`, {
    is: row.refunded,
    must: order.refunded,
    withdrawal: order.withdrawal,
  });
  if (row.withdrawn) {
    requireThat(isReplaced(order) || order.withdrawal !== 'no', `${what} was withdrawn without a request`);
    requireThat(
      isReplaced(order) || order.refunded === order.price,
      `${what} was withdrawn and not wholly refunded`,
      order.refunded,
    );
    order.withdrawal = 'done';
    model.atClose(() => requireReason(order));
  } else requireThat(order.withdrawal !== 'done', `${what} is no longer withdrawn`);
  requireCancel(order, row);
  const status = shown(row.refund);
  if (status === 'none' && order.state !== 'failed')
    requireThat(order.refunded === 0, `${what} was refunded and has no refund`);
  if (status === 'refunded' && !order.replaces) requireThat(order.refunded > 0, `${what} has a refund of nothing`);
}

function isGivenBack(order: Order): boolean {
  const { price, refunded } = boughtOrder(order);
  return order.replaces !== undefined && refunded === price;
}

/** The supplier is asked to withdraw it, or what stands in for it. */
export function awaitReturn(model: Model, order: Order): void {
  const last = standIn(order);
  model.stir(order, 'refunded');
  model.restless.add(last);
  if (last.withdrawal === 'no') last.withdrawal = 'perhaps';
}

/** A new eSIM goes back only with the money of the one it replaced, with a cancel, or because it was replaced itself. */
function requireReason(order: Order): void {
  const bought = boughtOrder(order);
  const isReturned = bought.refunded === bought.price || order.cancel.has('cancelled') || isReplaced(order);
  requireThat(isReturned, `${order.world} order ${order.id} was withdrawn, and order ${bought.id} keeps its price`);
}

/** It may fail, be delivered and returned, or be delivered and kept. */
export function awaitCancel(model: Model, order: Order): void {
  model.stir(order, 'refunded');
  for (const status of ['cancelled', 'too_late'] as const) order.cancel.propose(status);
  if (canWithdraw(order)) order.withdrawal = 'perhaps';
}

/** A cancelled order failed or was refunded, one that was too late was not, and a finished one is decided. */
function requireCancel(order: Order, { cancel, withdrawn: isBack, ...row }: OrderRow): void {
  const what = `${row.world} order ${row.id}, ${order.state} (${row.reason}), cancel ${cancel}`;
  if (cancel === 'cancelled') requireThat(order.state === 'failed' || isBack, `${what}, and it was kept`);
  if (cancel === 'too_late') requireThat(order.state !== 'open', `${what}, and it may still fail`);
  if (order.state === 'failed') requireThat(cancel !== 'requested', `${what}, and it is not decided`);
  if (row.reason === 'cancelled') requireThat(cancel === 'cancelled', `${what}, without a cancel`);
}

/** At the end of the round the refund's state must be one of the possible ones. */
export function settleReturn(model: Model, order: Order, row: OrderRow): void {
  order.refund.settle(shown(row.refund), `refund of ${row.world} order ${row.id}`);
  if (row.refund === 'requested') order.wasRequested = true;
  if (row.refund === 'rejected') order.wasRejected = true;
  model.restless.delete(order);
  order.cancel.settle(row.cancel, `cancel of ${row.world} order ${row.id}`);
  if (row.cancel === 'requested') awaitCancel(model, order);
  else if (row.refund === 'withdrawing') {
    awaitReturn(model, order);
    standIn(order).isUnanswered = true;
  } else if (order.withdrawal === 'perhaps' && !mayHaveBeenTaken(model, order, row)) order.withdrawal = 'no';
}

/**
 * The operator gave everything back while the supplier was being asked, also for the eSIM this one replaces. Then it is not asked again,
 * so if its answer was lost nobody knows whether it has taken the eSIM back. A supplier that answers leaves no doubt.
 */
function mayHaveBeenTaken(model: Model, order: Order, { refund }: OrderRow): boolean {
  const isSilent = model.faulted || model.isSupplierSilent || model.silentUntil > Date.now();
  return (refund === 'refunded' || isGivenBack(order)) && (order.isUnanswered || isSilent);
}
