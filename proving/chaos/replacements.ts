import type { Model, Order } from './model.ts';
import type { Asked, Replacement, ReplacementStatus, WhyNot } from './records.ts';
import type { OrderRow, ReplacementRow, Snapshot } from './snapshot.ts';
import { deliverers } from './terms.ts';
import { requireThat } from './violation.ts';

/*
 * Replacements of eSIMs. A request is answered while its round runs; what became of it is read at the end of the round, must be what
 * the answers said, and must follow from what it was before, from the operator's decisions and from the fate of the free order.
 */

const latestOf = ({ replacements }: Order): Replacement | undefined => replacements.at(-1);

/** Its eSIM was replaced. */
export const isReplaced = (order: Order): boolean => latestOf(order)?.status === 'replaced';
/** It was, or is about to be. */
export const isBeingReplaced = (order: Order): boolean => isReplaced(order) || latestOf(order)?.status === 'pending';

/** The order whose eSIM stands in for that of `order`: the last one that replaced it, or itself. */
export function standIn(order: Order): Order {
  const latest = isBeingReplaced(order) ? latestOf(order)?.order : undefined;
  return latest ? standIn(latest) : order;
}

/** The order that was bought, whose eSIM this one replaces, or itself. */
export const boughtOrder = (order: Order): Order => (order.replaces ? boughtOrder(order.replaces) : order);

/** The orders whose eSIMs were replaced one by the other, from the first to `order`’s. */
export function chainOf(order: Order): Order[] {
  const chain: Order[] = [];
  const follow = (one: Order) => {
    chain.push(one);
    for (const free of one.frees) follow(free);
  };
  follow(boughtOrder(order));
  return chain;
}

/** The names under which operations keep away from an eSIM and all it replaced. */
export const aloneWith = (order: Order): string[] => chainOf(order).map(({ world, id }) => `order ${world} ${id}`);

/** Was it never used, and never refilled? Then its supplier takes it back. */
export function canWithdraw({ world, used, scenario, refillOf, refills }: Order): boolean {
  if (refillOf || refills.some(({ state }) => state !== 'failed')) return false;
  return world === 'sandbox' ? isUnused(scenario) : used.length === 0;
}

const isUnused = (scenario: Order['scenario']) => ['', 'not_active'].includes(scenario?.usage ?? '');

/** Why its eSIM must not be replaced, if there is a reason, and why it may be refused. */
export function refusals(model: Model, order: Order): Pick<Asked, 'mustRefuse' | 'mayRefuse'> {
  const { world, used, scenario, price, refunded, withdrawal, refund, cancel, profile } = order;
  const status = latestOf(order)?.status;
  const may = new Set<WhyNot>();
  const must: WhyNot[] = [];
  const isBack = withdrawal === 'done' || (price > 0 && refunded >= price) || refund.value === 'requested';
  const isDeleted = profile.value === 'deleted' && scenario?.usage !== 'expired';
  const isUsed = world === 'sandbox' ? !isUnused(scenario) && !isDeleted : used.length > 0;
  const isReadable =
    world === 'sandbox' || !(model.faulted || model.isSupplierSilent || model.silentUntil > Date.now());
  if (status === 'replaced') must.push('replaced');
  if (isBack) must.push('refunded');
  if (isUsed && isReadable) must.push('used');
  if (isBeingReplaced(order)) may.add('replaced');
  if (isBack || withdrawal === 'perhaps' || cancel.has('requested')) may.add('refunded');
  if (isUsed) may.add('used');
  return { mustRefuse: must[0], mayRefuse: may };
}

/** Does a person have to decide, whatever the budget? Asked when the round is known. */
function personNeeded({ old: order, latest }: Asked): {
  readonly needsPerson: boolean;
  readonly mayNeedPerson: boolean;
} {
  const { world, replaces, refills, product, partner } = order;
  const wasAdded = refills.some(({ state }) => state !== 'failed');
  const needsPerson =
    replaces !== undefined ||
    latest !== undefined ||
    wasAdded ||
    !product.onSale.has(true) ||
    (world === 'live' && !partner.suspended.has(false));
  return { needsPerson, mayNeedPerson: needsPerson || product.onSale.has(false) || partner.suspended.has(true) };
}

/** The free order that a row of the round's snapshot is; undefined: the row is no free order. */
export function replacedBy(model: Model, { replacements }: Snapshot, row: OrderRow): Order | undefined {
  if (row.price !== 0) return undefined;
  const of = replacements.find(({ world, orderId }) => world === row.world && orderId === row.id);
  // A replacement whose order failed waits for the operator and no longer names it: it is one that was asked for or decided in this round.
  const possible = [
    ...model.decided.filter(({ outcome, decision }) => decision === 'approve' && outcome !== 'refused'),
    ...model.asked,
  ]
    .map(({ old }) => old)
    .filter(
      (one) => one.world === row.world && one.partner.id === row.partnerId && one.product.alias === row.productId,
    );
  const without = possible.filter(({ frees }) => !frees.some(({ round }) => round === model.round));
  const placed = without.length > 0 ? without : possible;
  if (!of && placed.length > 1) for (const asked of model.asked) if (placed.includes(asked.old)) asked.isUnclear = true;
  const old = of ? model.order(of.world, of.oldOrderId) : row.status === 2 ? placed[0] : undefined;
  requireThat(old, 'a free order that replaces nothing', row);
  requireThat(of || row.status === 2, 'a free order without its replacement', row);
  return old;
}

/** What must be read again: what was asked for, decided, or left unsettled. */
export const ordersToRead = (model: Model): Order[] => [
  ...[...model.asked, ...model.decided].map(({ old }) => old),
  ...[...model.unsettled].flatMap(({ old, order }) => (order ? [old, order] : [old])),
];

/** What became of every request must follow from what it was, and from what was done in this round. */
export function takeInReplacements(model: Model, rows: readonly ReplacementRow[]): void {
  const there = new Set(rows.map(({ world, id }) => `${world} ${id}`));
  const before = new Map([...model.replacements].map(([name, { status }]) => [name, status]));
  const isNew = ({ world, id }: ReplacementRow) => !before.has(`${world} ${id}`);
  // The known ones first: one that was rejected in this round makes way for a new request.
  for (const row of [...rows.filter((one) => !isNew(one)), ...rows.filter(isNew)]) {
    const name = `${row.world} ${row.id}`;
    const one = model.replacements.get(name) ?? takeInRequest(model, row);
    requireStep(model, one, before.get(name), row);
    apply(model, one, row);
  }
  for (const [name, { old, status }] of model.replacements)
    requireThat(there.has(name) || old.deleted, `replacement ${name}, ${status}, is gone`);
  for (const asked of model.asked) requireAnswers(asked);
}

/** A new request: somebody sent it in this round, and no other of this eSIM stands in its way. */
function takeInRequest(model: Model, row: ReplacementRow): Replacement {
  const old = model.order(row.world, row.oldOrderId);
  requireThat(old, 'a replacement of an eSIM that was never sold', row);
  const what = `a replacement of ${row.world} order ${old.id}`;
  const asked = model.asked.find((one) => one.old === old && one.key === row.key);
  requireThat(asked && !asked.known, `${what} that nobody asked for`, row);
  const latest = latestOf(old);
  requireThat(!latest || latest.status === 'rejected', `${what} beside another`, { row, latest: latest?.status });
  requireThat(!asked.mustRefuse, `${what} that cannot be replaced`, asked.mustRefuse);
  const made: Replacement = {
    id: row.id,
    old,
    key: row.key,
    status: 'requested',
    order: undefined,
    costMicros: 0,
    became: null,
  };
  const wasPlaced = old.frees.some(({ round }) => round === model.round);
  model.atClose(() => requireBudget(asked, wasPlaced));
  old.replacements.push(made);
  model.replacements.set(`${row.world} ${row.id}`, made);
  return made;
}

/** Placed at once if the budget has room for it, and left to the operator if it has not. */
function requireBudget(asked: Asked, wasPlaced: boolean): void {
  const { old } = asked;
  if (asked.isUnclear) return;
  const { needsPerson, mayNeedPerson } = personNeeded(asked);
  const { partner, world, id } = old;
  const what = `the replacement of ${world} order ${id}`;
  const { [world]: spent } = partner.replacementCost;
  const costs = deliverers(old).map(({ costMicros }) => costMicros);
  const budgets = partner.replacementBudget.all.map((cents) => cents * 10_000);
  const frees = old.frees.map(({ id, state, round }) => ({ id, state, round }));
  const figures = { budgets, costs, least: spent.least, most: spent.most, frees };
  if (wasPlaced) {
    requireThat(!needsPerson, `${what} was placed without the operator`);
    const fits = spent.least + Math.min(...costs) <= Math.max(...budgets);
    requireThat(fits, `${what} went past the budget`, figures);
  } else if (!mayNeedPerson) {
    const isShort = spent.most + Math.max(...costs) > Math.min(...budgets);
    requireThat(isShort, `${what} waits for the operator though the budget has room`, figures);
  }
}

/** The free orders of this eSIM that ended in a way, now or before. */
const ended = (old: Order, state: Order['state']) => old.frees.some((free) => free.state === state);
const wasCancelled = (old: Order) => old.frees.some(({ cancel }) => cancel.has('cancelled'));

function requireStep(model: Model, one: Replacement, before: ReplacementStatus | undefined, row: ReplacementRow): void {
  const { old } = one;
  const { world } = old;
  const what = `the replacement of ${world} order ${old.id} was ${before ?? 'not there'} and is ${row.status}`;
  requireThat(row.oldOrderId === old.id && row.key === one.key, `${what}, of another eSIM`, row);
  if (latestOf(old) !== one) {
    requireThat(before === row.status, `${what}, though there is a newer one`);
    return;
  }
  const decided = model.decided.filter((decision) => decision.old === old && decision.outcome !== 'refused');
  const isApproved = decided.some(({ decision }) => decision === 'approve');
  const isRejected = decided.some(({ decision }) => decision === 'reject');
  const isNew = before === undefined;
  const isPlaced = before === 'pending' || isNew || isApproved;
  const may: Readonly<Record<ReplacementStatus, boolean>> = {
    pending: isPlaced,
    replaced: isPlaced,
    requested: before === 'requested' || isNew || (isPlaced && ended(old, 'failed')),
    rejected: before === 'rejected' || (before === 'requested' && isRejected) || (isPlaced && wasCancelled(old)),
  };
  requireThat(before === 'replaced' ? row.status === 'replaced' : may[row.status], what, { isApproved, isRejected });
  for (const { decision, outcome } of decided)
    if (outcome === 'made') {
      const isDone = decision === 'reject' ? row.status === 'rejected' : row.status !== 'rejected' || wasCancelled(old);
      requireThat(isDone, `${what}, after ${decision}`);
    }
  requireOrders(model, one, row, what);
}

/** Of all its free orders one brings the new eSIM, if one does. */
function requireOrders(model: Model, { old, order }: Replacement, row: ReplacementRow, what: string): void {
  const free = row.orderId === null ? undefined : model.order(row.world, row.orderId);
  requireThat(row.orderId === null || free?.replaces === old, `${what}, by an order of another`, row);
  requireThat(row.status !== 'requested' || !free, `${what}, and its order is not forgotten`, row);
  // Of an order that has just been delivered or has failed, the outcome is recorded a moment later.
  if (row.status === 'pending') requireThat(free, `${what}, without an order`);
  if (row.status === 'replaced') requireThat(free?.state === 'delivered', `${what}, without an eSIM`, free?.state);
  if (order && order !== free)
    requireThat(order.state === 'failed' || order.withdrawal !== 'no', `${what}, by another order`, order.id);
  const working = old.frees.filter((one) => one.state !== 'failed' && one !== free && one.withdrawal === 'no');
  requireThat(working.length === 0, `${what}, and there is another new eSIM`, [
    row.orderId,
    ...working.map(({ id }) => id),
  ]);
}

function apply(model: Model, one: Replacement, row: ReplacementRow): void {
  const { old, became } = one;
  const { world, orderId, status } = row;
  const what = `the old eSIM of ${world} order ${old.id}`;
  one.status = status;
  one.order = orderId === null ? undefined : model.order(world, orderId);
  const { [world]: spent } = old.partner.replacementCost;
  const cost = one.order && one.order.state !== 'failed' ? (row.orderCost ?? 0) : 0;
  if (status === 'replaced')
    requireThat(row.cost === row.orderCost, `${what}: its replacement is booked at another cost`, row);
  else requireThat(row.cost === null, `${what}: a cost is booked without a new eSIM`, row);
  spent.add(cost - one.costMicros);
  one.costMicros = cost;
  requireThat(became === null || became === row.became, `${what} was ${became} and is ${row.became}`);
  requireThat(row.became === null || status === 'replaced', `${what} is ${row.became}, and is not replaced`, status);
  one.became = row.became;
  if (row.became === 'suspended' && became === null) {
    old.isSuspended.propose(true);
    old.isSuspended.confirm(true);
  } else if (status === 'replaced' && became === null) old.isSuspended.propose(true);
  const isSettled = status === 'replaced' ? one.became !== null : status !== 'pending';
  if (isSettled) model.unsettled.delete(one);
  else model.unsettled.add(one);
  if (row.became !== null && became === null) requireTakenBack(old, row.became);
}

/** Withdrawn where its supplier does so, else suspended where it does that. */
function requireTakenBack(old: Order, became: Exclude<Replacement['became'], null>): void {
  const what = `the old eSIM of ${old.world} order ${old.id} was ${became}`;
  const mayEnd = old.used.length > 0 || old.scenario?.usage === 'expired';
  if (became === 'withdrawn') requireThat(canWithdraw(old), `${what}, and was used or refilled`);
  // A refill that was given up may still be with the supplier.
  const mayBeRefilled = old.refills.some(({ mayFail, cancel }) => mayFail || cancel.has('cancelled'));
  if (became === 'suspended') requireThat(!canWithdraw(old) || mayBeRefilled, `${what} and could be withdrawn`);
  if (became === 'left') requireThat(mayEnd, `${what}, and could be withdrawn or switched off`);
}

/** Each answer must be what its request came to, or a step on the way there. */
function requireAnswers({ old, key, known, latest, latestStatus, mustRefuse, mayRefuse, answers }: Asked): void {
  const what = `a replacement of ${old.world} order ${old.id} under ${key}`;
  const now = old.replacements.findLast((one) => one.key === key) ?? known;
  // Under another key the request that waits for the operator is answered.
  const brought = now ?? (latestStatus === 'requested' || latestStatus === 'pending' ? latest : undefined);
  for (const { status: code, body } of answers) {
    if (code === 409 && body.error === 'not_replaceable') {
      requireThat(!known && mayRefuse.has(body.why), `${what} was refused`, { body, may: [...mayRefuse] });
      requireThat(!mustRefuse || latestStatus === 'pending' || body.why === mustRefuse, `${what}: another why`, body);
      continue;
    }
    if (code === 409) {
      const isOther = body.error === 'idempotency_key_conflict' && known !== undefined && known.old !== old;
      requireThat(isOther, `${what} was refused`, body);
      continue;
    }
    requireThat(code === 200 && body.replacement, what, body);
    const { status, order_id: orderId, iccid, old_iccid: oldIccid } = body.replacement;
    requireThat(known || !mustRefuse || latestStatus === 'requested', `${what}, which cannot be replaced`, mustRefuse);
    requireThat(brought && brought.old === old && oldIccid === old.iccid, `${what} brought another`, body);
    const told = { told: body.replacement, is: brought.status, order: brought.order?.id };
    if (status === 'requested') requireThat(orderId === null && iccid === null, `${what}, half requested`, told);
    // It may be delivered already and not be recorded as replaced yet.
    const mayShow = iccid === null || iccid === brought.order?.iccid;
    if (status === 'pending') requireThat(orderId !== null && mayShow, `${what}, half pending`, told);
    if (status === 'replaced') {
      const isSame = brought.status === 'replaced' && brought.order?.id === orderId && typeof iccid === 'string';
      requireThat(isSame, `${what} was answered otherwise`, told);
      requireThat(brought.order?.iccid === undefined || brought.order.iccid === iccid, `${what}: another eSIM`, told);
      if (brought.order) brought.order.iccid = iccid;
    }
    const mayFollow = (status !== 'rejected' && status !== 'requested') || brought.status === status;
    requireThat(mayFollow, `${what} was answered otherwise`, told);
  }
}
