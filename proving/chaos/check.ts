import { refillingOf, takeInAutorefill, takeInRules } from './autorefills.ts';
import { requireTenInARow } from './events.ts';
import { requireHelps } from './helps.ts';
import { charge, end } from './ledger.ts';
import type { Model, Order, WorldName } from './model.ts';
import { settlePhones } from './phones.ts';
import type { Topup } from './records.ts';
import { isReplaced, ordersToRead, replacedBy, takeInReplacements } from './replacements.ts';
import { settleReturn, takeInReturn } from './returns.ts';
import { newOrder, observed } from './sale.ts';
import type { Only, OrderRow, Snapshot, WalletRow } from './snapshot.ts';
import { takeInDelivery, takeInImports, takeInStock } from './supply.ts';
import { deliverers, partnerPrice, revenueShare } from './terms.ts';
import { requireThat } from './violation.ts';

const OPENING_BALANCE = 100_000;

/**
 * Compares the database with the model. First it applies what may have happened unseen (orders whose answer was lost, orders the jobs
 * finished, payments they credited), then everything must be equal to the cent.
 */
export function compare(model: Model, found: Snapshot, everyOrder: boolean): void {
  takeInResets(model, found);
  for (const row of found.orders.toSorted((a, b) => a.id - b.id)) takeInOrder(model, found, row);
  requireOrdersOnRecord(model, found, everyOrder);
  takeInTopups(model, found);
  takeInMovements(model, found);
  takeInShares(model, found);
  const known = found.orders.flatMap((row) => {
    const order = model.order(row.world, row.id);
    return order ? [{ order, row }] : [];
  });
  takeInImports(model, found.items);
  for (const { order, row } of known) takeInDelivery(model, order, row);
  // As its partner reads it from the order, if they ask.
  for (const { order, row } of known)
    if (order.state === 'delivered' && !row.isRefill) order.iccid ??= row.iccid ?? undefined;
  takeInReplacements(model, found.replacements);
  takeInRules(model, found.rules);
  requireHelps(model, found.helps);
  // A refund shows in the order that was paid for before it shows in the free one: both may go back in this round.
  known.sort((a, b) => a.row.id - b.row.id);
  for (const { order, row } of known) takeInReturn(model, order, row);
  takeInStock(model, found.items);
  requireBalances(model, found.wallets);
  requireTenInARow(found.tried);
  model.close();
  settleSettings(model, found);
  // Whether a free order is still going back shows from the one it replaces, which therefore comes last.
  for (const { order, row } of known.toReversed()) settleReturn(model, order, row);
  settlePhones(model, found.phones);
}

const stateOf = ({ status }: OrderRow): Order['state'] =>
  status === 1 ? 'delivered' : status === 2 ? 'failed' : 'open';

function takeInOrder(model: Model, found: Snapshot, row: OrderRow): void {
  if (!model.partners.some(({ id }) => id === row.partnerId)) return;
  requireThat(row.status !== 3, 'an order was left half-written', row);
  const known = model.order(row.world, row.id);
  if (!known) {
    const refilling = refillingOf(model, row);
    const old = refilling ? undefined : replacedBy(model, found, row);
    if (refilling) takeInAutorefill(model, refilling, row);
    else if (old) takeInFree(model, old, row);
    else takeInStray(model, row);
    return;
  }
  const { partner, product, price, list, key, wasPaid, billing } = known;
  const is = [row.partnerId, row.productId, row.price, row.list, row.key, row.paid, row.billing];
  const must = [partner.id, product.alias, price, list, key ?? null, wasPaid, billing];
  requireThat(JSON.stringify(is) === JSON.stringify(must), `${row.world} order ${row.id} is not as it was sold`, {
    is,
    must,
  });
  observed(known, known.state, stateOf(row), row.reason);
  // An order whose provisioning was interrupted is paid, though it was answered as deferred. It may be delivered without ever being so.
  if (stateOf(row) === 'open') known.wasDeferred = row.delivery === 'deferred';
}

/** The free order of a replacement: the same plan for nothing, and without a key. */
function takeInFree(model: Model, replaces: Order, row: OrderRow): void {
  const { partner, product, world, worth } = replaces;
  const what = `the free order ${row.id} for ${world} order ${replaces.id}`;
  const is = [row.partnerId, row.productId, row.key, row.paid, row.isRefill];
  const must = [partner.id, product.alias, null, true, false];
  requireThat(JSON.stringify(is) === JSON.stringify(must), `${what} is another`, { is, must });
  const costs = deliverers(replaces).map(({ costMicros }) => costMicros);
  requireThat(costs.includes(row.cost), `${what} costs something else`, { is: row.cost, may: costs });
  requireThat(product.list.has(row.list), `${what} has a list price that is not in force`, row);
  const name = replaces.scenario?.name === 'deferred' ? 'deferred' : 'success';
  const scenario = world === 'sandbox' ? { name, usage: 'not_active' } : undefined;
  const { id, list, price, billing } = row;
  const details = { id, list, price, billing, reason: '', wasPaid: true, state: 'open', replaces, worth } as const;
  const order = newOrder(model, { world, partner, product, key: undefined, scenario }, details);
  model.add(order);
  observed(order, 'open', stateOf(row), row.reason);
}

/** An order that is new to the model must belong to a purchase whose answer was lost, one order for each. */
function takeInStray(model: Model, row: OrderRow): void {
  const i = model.strays.findIndex(
    ({ world, partner, product }) =>
      world === row.world && partner.id === row.partnerId && product.alias === row.productId,
  );
  const [stray] = i < 0 ? [] : model.strays.splice(i, 1);
  requireThat(stray && row.key === null, 'an order without a purchase', row);
  const { partner, product } = stray;
  requireThat(product.list.has(row.list), 'sold at a list price that is not in force', row);
  requireThat(
    row.price === partnerPrice(row.list, product.costMicros, partner.marginShare),
    'charged another price',
    row,
  );
  const { id, list, price, billing, reason, paid: wasPaid } = row;
  const state = stateOf(row);
  const order = newOrder(model, { ...stray, key: undefined }, { id, list, price, billing, reason, wasPaid, state });
  model.add(order);
  if (!wasPaid) return;
  charge(order);
  if (state !== 'failed') return;
  order.state = 'open';
  end(order, 'failed', reason);
}

function requireOrdersOnRecord(model: Model, { orders }: Snapshot, everyOrder: boolean): void {
  const there = new Set(orders.map(({ world, id }) => `${world} ${id}`));
  for (const [name, order] of model.orders)
    if ((everyOrder || order.state === 'open' || order.round === model.round) && !order.deleted)
      requireThat(there.has(name), `${name} is gone`, order.state);
}

/** A reset leaves only what was bought after it, and its own opening balance less that. */
function takeInResets(model: Model, { orders, topups }: Snapshot): void {
  const there = new Set(orders.map(({ world, id }) => `${world} ${id}`));
  for (const partner of model.resets) {
    for (const order of model.ordersOf(partner, 'sandbox')) {
      const survived = there.has(`sandbox ${order.id}`);
      requireThat(!survived || order.round === model.round, `sandbox order ${order.id} outlived a reset`);
      if (!survived) model.forget(order);
    }
    const kept = new Set(topups.map(({ key }) => key));
    for (const topup of model.topups.values())
      if (topup.partner === partner && topup.world === 'sandbox') {
        requireThat(!kept.has(topup.key), 'a sandbox top-up outlived a reset', topup.key);
        model.topups.delete(topup.key);
      }
    model.atClose(() => {
      const spent = model.ordersOf(partner, 'sandbox').filter(({ state, wasPaid }) => wasPaid && state !== 'failed');
      const kept = [...model.replacements.values()].filter(
        ({ old }) => old.partner === partner && old.world === 'sandbox',
      );
      partner.replacementCost.sandbox.restart(kept.reduce((sum, { costMicros }) => sum + costMicros, 0));
      partner.sandbox.restart(OPENING_BALANCE - spent.reduce((sum, { price }) => sum + price, 0));
    });
  }
}

function takeInTopups(model: Model, { topups }: Snapshot): void {
  for (const { key, status, world } of topups) {
    const topup = model.topups.get(key);
    if (!topup) continue;
    if (topup.credited) requireThat(status === 'succeeded', 'a credited top-up is no longer paid', key);
    if (status !== 'succeeded') continue;
    if (topup.credited) continue;
    requireThat(topup.paid !== 'no', 'an unpaid top-up was credited', key);
    topup.credited = true;
    (world === 'live' ? topup.partner.wallet : topup.partner.sandbox).add(topup.amount);
  }
}

function takeInMovements(model: Model, { notes }: Snapshot): void {
  const counts = new Map<string, number>();
  for (const { id, note } of notes) {
    counts.set(note, (counts.get(note) ?? 0) + 1);
    requireThat(counts.get(note) === 1, 'a movement was made twice', note);
    model.latestMovement = Math.max(model.latestMovement, id);
  }
  for (const movement of model.movements) {
    const made = counts.get(movement.note) ?? 0;
    if (movement.outcome === 'made')
      requireThat(made === 1, 'a movement was confirmed and is not there', movement.note);
    if (movement.outcome === 'refused') requireThat(made === 0, 'a movement was refused and is there', movement.note);
    if (made === 1) movement.apply();
  }
}

function takeInShares(model: Model, { shares }: Snapshot): void {
  for (const { orderId, amount, fromDebt, toWallet } of shares) {
    const order = model.order('live', orderId);
    if (!order || order.share !== undefined) {
      requireThat(!order || order.share === amount, `the share of order ${orderId} changed`, { amount });
      continue;
    }
    requireThat(!order.replaces && !isReplaced(order), `order ${orderId} has a share, and was free or replaced`);
    const due = order.used.map((used) => revenueShare(order, used));
    requireThat(due.includes(amount), `the share of order ${orderId} is ${amount}`, { due, used: order.used });
    requireThat(fromDebt + toWallet === amount, `the share of order ${orderId} was paid in parts that do not add up`);
    if (!order.partner.billing.has('postpaid')) requireThat(fromDebt === 0, 'a prepaid share reduced a debt', orderId);
    order.share = amount;
    order.partner.debt.add(-fromDebt);
    order.partner.wallet.add(toWallet);
  }
}

function requireBalances(model: Model, wallets: readonly WalletRow[]): void {
  for (const partner of model.partners) {
    const row = (world: WorldName) => wallets.find((one) => one.world === world && one.partnerId === partner.id);
    const reset = model.resets.has(partner);
    const is = [row('live')?.balance, row('live')?.debt, ...(reset ? [] : [row('sandbox')?.balance])];
    const must = [partner.wallet.now, partner.debt.now, ...(reset ? [] : [partner.sandbox.now])];
    requireThat(
      JSON.stringify(is) === JSON.stringify(must),
      `balance, debt or sandbox balance of partner ${partner.id} is off`,
      { is, must },
    );
  }
}

function settleSettings(model: Model, { wallets, products, keys, budgets }: Snapshot): void {
  for (const partner of model.partners) {
    const row = wallets.find(({ world, partnerId }) => world === 'live' && partnerId === partner.id);
    if (!row) continue;
    partner.billing.settle(row.billing, `billing of partner ${partner.id}`);
    partner.creditLimit.settle(row.creditLimit, `credit limit of partner ${partner.id}`);
    partner.suspended.settle(row.suspended, `suspension of partner ${partner.id}`);
    const budget = budgets.find(({ partnerId }) => partnerId === partner.id)?.cents ?? 0;
    partner.replacementBudget.settle(budget, `replacement budget of partner ${partner.id}`);
    for (const one of [...partner.keys.live, ...partner.keys.sandbox])
      one.revoked.settle(keys.find(({ id }) => id === one.id)?.revoked ?? true, `key ${one.id}`);
  }
  for (const product of model.products) {
    const row = products.find(({ alias }) => alias === product.alias);
    if (!row) continue;
    product.list.settle(row.list, `price of ${product.alias}`);
    product.onSale.settle(row.onSale, `sale of ${product.alias}`);
    product.behaviour.settle(row.behaviour as never, `supplier of ${product.alias}`);
  }
}

/** An order gets its number before it is committed. One that an eSIM buys by itself may show only after others with higher numbers. */
const LATE_IDS = 1_000;

/** What a round can have changed. The rest is read at every full check. */
export function mayHaveChanged(model: Model): Only {
  const { restless, resets, before, topups, latestMovement } = model;
  const isOpen = ({ credited, world, partner }: Topup) => !credited || (world === 'sandbox' && resets.has(partner));
  return {
    orders: {
      after: { live: before.live - LATE_IDS, sandbox: before.sandbox - LATE_IDS },
      these: [...before.open, ...restless, ...ordersToRead(model)].map(({ id }) => id),
      sandboxesOf: [...resets].map(({ id }) => id),
    },
    topups: [...topups.values()].filter(isOpen).map(({ key }) => key),
    movementsAfter: latestMovement,
  };
}
