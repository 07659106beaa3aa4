import type { Model, Order } from './model.ts';
import type { Item, ItemState } from './records.ts';
import { isReplaced } from './replacements.ts';
import type { ItemRow, OrderRow } from './snapshot.ts';
import { deliverers } from './terms.ts';
import { requireThat } from './violation.ts';

/** The supplier that delivered an order is one that may, and an alternate only if the plan's own supplier certainly has not taken it. */
export function takeInDelivery(model: Model, order: Order, row: OrderRow): void {
  if (row.world !== 'live' || order.state !== 'delivered' || order.deliveredBy) return;
  const what = `order ${row.id} of ${order.product.alias}`;
  const by = deliverers(order).find(({ supplier, code }) => supplier === row.supplier && code === row.code);
  requireThat(by, `${what} was delivered by somebody who may not`, [row.supplier, row.code]);
  requireThat(row.cost === by.costMicros, `${what} cost something else`, { is: row.cost, must: by.costMicros });
  order.deliveredBy = by;
  if (by !== order.product) {
    const [own] = deliverers(order) as [Order['product']];
    const mayPass = own.isStock || order.mayRefuse.has(own) || model.isSupplierSilent || model.silentUntil > Date.now();
    requireThat(
      mayPass || model.faulted,
      `${what} was not delivered by its own supplier, which had not refused it`,
      by.alias,
    );
  }
  if (row.isRefill || !row.iccid) return;
  const item = model.items.get(row.iccid);
  if (by.isStock) requireThat(item, `${what} was delivered an eSIM that was never in stock`);
  const before = model.esims.get(row.iccid);
  // From stock, what came back is sold again once the operator has released it, in this round or before. A fault can lie between
  // taking it for this order and delivering it. What was replaced comes back without anybody asking for its withdrawal.
  const isTaken = item?.state === 'sold' && orderOf(item) === row.id;
  const isReleased = by.isStock && (item?.state === 'available' || item?.touched === 'release' || isTaken);
  requireThat(
    !before || (isReleased && (before.withdrawal !== 'no' || before.replacements.length > 0)),
    `eSIM ${row.iccid} was sold with order ${before?.id} and with order ${row.id}`,
    item,
  );
  model.esims.set(row.iccid, order);
}

/** The changes of an item that happen without an operator. */
const NEXT: Readonly<Record<ItemState, readonly ItemState[]>> = {
  available: ['available', 'sold', 'returned'],
  sold: ['sold', 'returned'],
  returned: ['returned'],
  discarded: ['discarded'],
};

/** What was imported in this round: whole files, or nothing of them. */
export function takeInImports(model: Model, rows: readonly ItemRow[]): void {
  const there = new Map(rows.map((row) => [row.iccid, row]));
  for (const { iccids, outcome } of model.imports) {
    const found = iccids.filter((iccid) => there.has(iccid)).length;
    requireThat(found === 0 || found === iccids.length, 'a file was imported in part', { found, of: iccids.length });
    if (outcome !== 'unknown') requireThat(found > 0 === (outcome === 'made'), `an import was ${outcome}`, { found });
    if (found > 0)
      for (const iccid of iccids)
        model.items.set(iccid, { iccid, state: 'available', reference: null, touched: undefined });
  }
  model.imports = [];
}

/** Items come and go only as the contract says, and each belongs to one order. */
export function takeInStock(model: Model, rows: readonly ItemRow[]): void {
  const sold = new Map<number, string>();
  for (const row of rows) {
    const item = model.items.get(row.iccid);
    requireThat(item, `item ${row.iccid} was never imported`);
    requireStep(model, item, row);
    if (row.state === 'sold' || row.state === 'returned') requireOwner(model, row, sold);
    Object.assign(item, { state: row.state, reference: row.reference, touched: undefined });
  }
  requireThat(rows.length === model.items.size, 'items are gone', { is: rows.length, must: model.items.size });
}

function requireStep(model: Model, item: Item, row: ItemRow): void {
  // Taken for an order that was cancelled before the eSIM was delivered: it was never handed out, and is for sale again.
  const isFreed = item.state === 'sold' && model.order('live', orderOf(item))?.state === 'failed';
  const isReleased = item.touched === 'release' || isFreed;
  const may = [
    ...NEXT[item.state],
    ...(item.touched === 'discard' ? ['discarded'] : []),
    ...(isReleased ? ['available', 'sold', 'returned'] : []),
  ];
  requireThat(may.includes(row.state), `item ${row.iccid} was ${item.state} and is ${row.state}`, item.touched);
  const isSame = row.reference === item.reference || item.state === 'available' || isReleased;
  requireThat(isSame, `item ${row.iccid} went to another order`, [item.reference, row.reference]);
}

/** The number of the order an item went to. */
export const orderOf = ({ reference }: Pick<ItemRow, 'reference'>): number =>
  Number(/^wf-live-(\d+)/.exec(reference ?? '')?.[1]);

/** A sold item belongs to its order, and to no other. */
function requireOwner(model: Model, { iccid, state, reference }: ItemRow, sold: Map<number, string>): void {
  const id = orderOf({ reference });
  const order = model.order('live', id);
  const what = `item ${iccid}, ${state} with ${reference}`;
  requireThat(order && deliverers(order).some(({ isStock }) => isStock), `${what}, belongs to no order of it`);
  requireThat(!sold.has(id), `${what}: its order has another`, sold.get(id));
  sold.set(id, iccid);
  if (order.state === 'delivered')
    requireThat(
      order.deliveredBy?.isStock && model.esims.get(iccid) === order,
      `${what}: its order was delivered another`,
    );
  if (order.state === 'failed') requireThat(order.mayFail, `${what}: its order failed without a reason`);
  if (state !== 'returned') return;
  // The eSIM of a replaced order is taken back first, and marked as withdrawn a moment later.
  const isBeingTaken = isReplaced(order) && order.replacements.at(-1)?.became === null;
  requireThat(order.withdrawal !== 'no' || isBeingTaken, `${what}: returned without a withdrawal`);
}

/** No supplier is left that could deliver it, or it is a refill of an eSIM that its supplier may have taken back. */
export const isRefused = (order: Order) =>
  deliverers(order).every((one) => order.mayRefuse.has(one) || one.behaviour.has('refuse')) ||
  (order.refillOf !== undefined && order.refillOf.withdrawal !== 'no');

/** The suppliers that may deliver it, and how they behave. */
const whoMay = (order: Order) => ({
  refillOf: order.refillOf && [order.refillOf.id, order.refillOf.withdrawal, ...order.refillOf.refund.all],
  deliverers: deliverers(order).map(({ alias, behaviour }) => [alias, ...behaviour.all]),
  mayRefuse: [...order.mayRefuse].map(({ alias }) => alias),
});

const SILENT: readonly string[] = ['', 'provider_unavailable', 'awaiting_profile'];

/** Does the outcome follow from what the supplier, or the sandbox script, was told to do? */
export function requireExpected(order: Order, scenario = ''): void {
  const { id, world, state, reason, wasPaid } = order;
  const what = `${world} order ${id} is ${state} (${reason})`;
  if (!wasPaid) {
    const isScripted = reason !== 'sandbox_scenario' || scenario === 'failed';
    requireThat(state === 'failed' && (world === 'live' || isScripted), what);
    return;
  }
  if (world === 'sandbox') {
    const wanted = { '': 'delivered', success: 'delivered', deferred: 'open', failed: 'failed' }[scenario];
    // A purchase cut off after its payment is finished by the job, so it may still be open.
    requireThat(state === wanted || state === 'open', `${what} in the scenario "${scenario}"`);
    return;
  }
  if (state === 'failed') requireThat(isRefused(order) && reason === 'provider_rejected', what, whoMay(order));
  if (state === 'open') requireThat(SILENT.includes(reason), what);
  if (state === 'delivered')
    requireThat(
      deliverers(order).some(({ behaviour }) =>
        behaviour.all.some((one) => !['refuse', 'timeout', 'delay'].includes(one)),
      ),
      what,
    );
}
