import { charge, requireAffordable } from './ledger.ts';
import type { Model, Order } from './model.ts';
import type { Rule, RuleTerms, StopReason } from './records.ts';
import { isBeingReplaced, isReplaced } from './replacements.ts';
import { newOrder, observed } from './sale.ts';
import type { OrderRow, RuleRow } from './snapshot.ts';
import { isRefillOf, partnerPrice } from './terms.ts';
import { requireThat } from './violation.ts';

/*
 * eSIMs that refill themselves. How many refills a rule buys follows from three things: what is used of the data, the mark, and what each
 * refill adds. So each order of a rule must have found the usage at its mark, and a rule at work whose usage is at its mark has a
 * refill to buy: `isUnsettled`, until it is bought or the rule says why not. The orders of an eSIM are numbered without a gap.
 */

/** How many refills are bought in a month by rules that were set with the frugal key. */
export const FRUGAL_COUNT = 4;

const isAtWork = ({ stopped, isEnded }: Pick<Rule, 'stopped' | 'isEnded'>): boolean => stopped === null && !isEnded;

/** In the sandbox, by script. */
const SANDBOX_MB = 1_024;
const SANDBOX_USED: Readonly<Record<string, number>> = { active: 512, depleted: 1_024 };

const usedOf = ({ world, scenario, used }: Order): number =>
  (world === 'sandbox' ? SANDBOX_USED[scenario?.usage ?? ''] : used.at(-1)) ?? 0;

/** All the data of an eSIM with these refills. */
const totalWith = ({ world, deliveredBy, product }: Order, refills: readonly Order[]): number =>
  refills.reduce(
    (sum, refill) => sum + (refill.deliveredBy ?? refill.product).amountMb,
    world === 'sandbox' ? SANDBOX_MB : (deliveredBy ?? product).amountMb,
  );

const isDelivered = ({ state }: Order): boolean => state === 'delivered';
export const totalOf = (order: Order): number => totalWith(order, order.refills.filter(isDelivered));

const isAtMark = (order: Order, atPercent: number, totalMb: number): boolean =>
  usedOf(order) > 0 && (100 * Math.min(usedOf(order), totalMb)) / totalMb >= atPercent;

/** A refill that was given up or cancelled may still be with the supplier, who counts its data. */
const isVague = ({ world, refills }: Order): boolean =>
  world === 'live' && refills.some(({ mayFail, cancel }) => mayFail || cancel.value !== 'none');

/** It is still to buy a refill, or is buying one. */
const isUnsettled = (order: Order, rule: Rule, row: RuleRow): boolean =>
  order.autorefills.some(({ state }) => state === 'open') ||
  (isAtWork(rule) &&
    order.withdrawal !== 'done' &&
    (row.isDue || (!isVague(order) && isAtMark(order, rule.atPercent, totalOf(order)))));

/** The eSIM of a row that is an order of a rule; undefined: it is none. */
export function refillingOf(model: Model, { world, refillOf, key }: OrderRow): Order | undefined {
  return key?.startsWith('autorefill:') && refillOf !== null ? model.order(world, refillOf) : undefined;
}

/** An order that is new to the model and that a rule has placed. Whether the rule wanted it is checked with the rule. */
export function takeInAutorefill(model: Model, of: Order, row: OrderRow): void {
  const { world, partner, scenario: script } = of;
  const product = model.products.find(({ alias }) => alias === row.productId);
  const what = `${world} order ${row.id} under ${row.key}`;
  requireThat(product && row.paid && row.partnerId === partner.id, `${what} is of another plan or account`, row);
  const must = `autorefill:${of.iccid}:${of.autorefills.length + 1}`;
  requireThat(row.key === must, `${what} has another number`, { must });
  requireThat(row.price === partnerPrice(row.list, product.costMicros, partner.marginShare), `${what}: its price`, row);
  const name = script?.name === 'deferred' ? 'deferred' : 'success';
  const scenario = world === 'sandbox' ? { name, usage: '' } : undefined;
  const { id, list, price, billing, key } = row;
  const details = { id, list, price, billing, reason: '', wasPaid: true, state: 'open' } as const;
  const order = newOrder(model, { world, partner, product, key: key as string, scenario, refillOf: of }, details);
  model.add(order);
  of.autorefills.push(order);
  model.bought.push(order);
  model.refilling.add(of);
  charge(order);
  model.atClose(() => requireAffordable(order));
  if (world === 'live') requireThat(partner.suspended.has(false), `${what} was bought for a suspended account`);
  observed(order, 'open', row.status === 1 ? 'delivered' : row.status === 2 ? 'failed' : 'open', row.reason);
}

/** What became of every rule must follow from what it was, from what was done in this round, and from what is used of the data. */
export function takeInRules(model: Model, rows: readonly RuleRow[]): void {
  const seen = new Set<Order>();
  for (const row of rows) {
    const order = model.order(row.world, row.orderId);
    if (!order) continue;
    seen.add(order);
    const wasAtWork = order.rule !== undefined && isAtWork(order.rule);
    const isNew = order.rule?.version !== row.version;
    const rule = isNew ? takeInRuling(model, order, row) : (order.rule as Rule);
    order.rule = rule;
    requireStep(model, order, rule, row);
    requireWanted(model, order, rule, wasAtWork || isNew);
    rule.isUnsettled = isUnsettled(order, rule, row);
    if (rule.isUnsettled) model.refilling.add(order);
    else model.refilling.delete(order);
    model.atClose(() => {
      rule.mayHaveStopped = isAtWork(rule) ? mayStop(model, order, rule) : new Set();
    });
  }
  // One that was refused, or whose request was lost on its way.
  for (const order of model.refilling) if (!seen.has(order)) model.refilling.delete(order);
  for (const order of model.living.all)
    requireThat(!order.rule || seen.has(order), `the rule of ${order.world} order ${order.id} is gone`, order.rule);
  for (const partner of model.partners) requireFrugal(model, partner);
}

const sameTerms = (a: RuleTerms, row: RuleRow): boolean =>
  a.product.alias === row.product &&
  a.atPercent === row.atPercent &&
  a.times === row.times &&
  a.maxPrice === row.maxPrice;

/** Somebody set it, or ended it; or its eSIM has taken it over from the one it replaces. */
function takeInRuling(model: Model, order: Order, row: RuleRow): Rule {
  const { rule: before } = order;
  const what = `the rule ${row.version} of ${order.world} order ${order.id}`;
  requireThat(row.version > (before?.version ?? 0), `${what} has an earlier version`, before?.version);
  const rulings = model.rulings.filter(({ of, outcome }) => of === order && outcome !== 'refused');
  const of = { version: row.version, done: row.done, isEnded: row.isEnded, isUnsettled: true, mayHaveStopped: none };
  if (row.isEnded) {
    const isMeant = rulings.some(({ terms }) => !terms) || isReplaced(order);
    const known = before ?? rulings.find(({ terms }) => terms && sameTerms(terms, row))?.terms;
    requireThat(isMeant && known, `${what} has ended, and nobody ended it`, row);
    return { bought: order.autorefills.length, doneBefore: row.done, stopped: row.stopped, ...known, ...of };
  }
  const set = rulings.find(({ terms }) => terms && sameTerms(terms, row))?.terms;
  const bought = order.autorefills.filter(({ round }) => round < model.round).length;
  if (set) return { ...set, ...of, bought, doneBefore: 0, stopped: null };
  const old = order.replaces;
  const taken = old?.rule;
  requireThat(old && taken && isReplaced(old) && sameTerms(taken, row), `${what} was never set`, row);
  // One that was on its way counts, also if it failed later in this round.
  const wasOnItsWay = old.autorefills.length > taken.bought;
  const mayHaveDone = [taken.done, ...(wasOnItsWay ? [taken.done + 1] : [])];
  requireThat(mayHaveDone.includes(row.done), `${what} was taken over with other refills done`, { row, mayHaveDone });
  return { ...taken, ...of, bought: 0, doneBefore: row.done, stopped: taken.stopped };
}

const none: ReadonlySet<StopReason> = new Set();

function requireStep(model: Model, order: Order, rule: Rule, row: RuleRow): void {
  const what = `the rule ${row.version} of ${order.world} order ${order.id}`;
  requireThat(sameTerms(rule, row), `${what} has other terms`, { rule, row });
  const { length } = order.autorefills;
  // The order of a crossing that is not settled yet may be there or not.
  const numbers = row.isDue ? [length, length + 1] : [length + 1];
  requireThat(numbers.includes(row.n), `${what} has another number`, { is: row.n, numbers });
  requireThat(rule.isEnded || !row.isEnded, `${what} has ended`);
  if (row.isEnded) return;
  const since = order.autorefills.slice(rule.bought);
  const delivered = rule.doneBefore + since.filter(isDelivered).length;
  const counts = row.isDue ? [delivered - 1, delivered] : [delivered];
  requireThat(counts.includes(row.done), `${what} has done another number`, { is: row.done, counts, isDue: row.isDue });
  const kept = rule.doneBefore + since.filter(({ state }) => state !== 'failed').length;
  requireThat(kept <= rule.times, `${what} bought more than it may`, { kept, times: rule.times });
  requireThat(!isAtWork(row) || row.isDue || row.done < rule.times, `${what} goes on after its last refill`, row);
  rule.done = row.done;
  if (row.stopped === rule.stopped) return;
  requireThat(rule.stopped === null && row.stopped, `${what} was ${rule.stopped} and is ${row.stopped}`);
  requireThat((row.stopped === 'done') === row.done >= rule.times, `${what} stopped: ${row.stopped}`, row);
  rule.stopped = row.stopped;
  order.stops++;
  const { stopped } = row;
  const { mayHaveStopped } = rule;
  if (stopped !== 'done')
    model.atClose(() => {
      const may = mayStop(model, order, rule);
      requireThat(may.has(stopped) || mayHaveStopped.has(stopped), `${what} stopped without a reason`, {
        stopped,
        may: [...may, ...mayHaveStopped],
        orders: since.map(({ id, state, reason }) => [id, state, reason]),
      });
    });
}

/** Of what it has just bought: its own refill, within its price, for usage at its mark, while it was at work. */
function requireWanted(model: Model, order: Order, rule: Rule, mayBuy: boolean): void {
  for (const bought of model.bought.filter(({ refillOf }) => refillOf === order)) {
    const what = `${order.world} order ${bought.id} under ${bought.key}`;
    bought.isFrugal = rule.isFrugal;
    requireThat(mayBuy, `${what} was bought without a rule at work`, { rule });
    requireThat(bought.product === rule.product, `${what} is another refill`, [
      bought.product.alias,
      rule.product.alias,
    ]);
    requireThat(bought.price <= rule.maxPrice, `${what} costs more than it may`, [bought.price, rule.maxPrice]);
    requireThat(bought.product.list.has(bought.list), `${what} has a list price that is not in force`, bought.list);
    // What others added meanwhile may not have been there yet.
    const added = order.refills.filter((one) => isDelivered(one) && one.id < bought.id && wasThere(model, order, one));
    requireThat(isAtMark(order, rule.atPercent, totalWith(order, added)), `${what} was bought below the mark`, {
      used: usedOf(order),
      total: totalWith(order, added),
      mark: rule.atPercent,
    });
  }
}

const wasThere = ({ round, before }: Model, order: Order, refill: Order): boolean =>
  order.autorefills.includes(refill) || (refill.round < round && !before.open.includes(refill));

/** Why a rule may stop in this round. Asked when the round is known. */
function mayStop(model: Model, order: Order, { product, maxPrice, isFrugal }: Rule): ReadonlySet<StopReason> {
  const { partner, world, withdrawal, cancel, scenario, autorefills } = order;
  const may = new Set<StopReason>();
  const prices = product.list.all.map((list) => partnerPrice(list, product.costMicros, partner.marginShare));
  if (Math.max(...prices) > maxPrice) may.add('price');
  const isGone =
    withdrawal !== 'no' || isBeingReplaced(order) || cancel.has('requested') || !isRefillOf(product, order);
  const isOver = world === 'sandbox' && scenario?.usage === 'expired';
  const hasFailed = autorefills.at(-1)?.state === 'failed';
  if (isGone || isOver || hasFailed || product.onSale.has(false)) may.add('product');
  if (isFrugal && frugalOf(model, order.partner).most >= FRUGAL_COUNT) may.add('limit');
  if (isShort(order, Math.max(...prices))) may.add('money');
  return may;
}

/** Was there a moment in this round at which it could not be paid? */
function isShort({ world, partner }: Order, price: number): boolean {
  const { wallet, debt, sandbox, billing, creditLimit, suspended } = partner;
  if (world === 'sandbox') return sandbox.least < price;
  const isOverdrawn = billing.has('prepaid') && wallet.least < price;
  const isOverLimit = billing.has('postpaid') && debt.most + price > Math.min(...creditLimit.all);
  return suspended.has(true) || isOverdrawn || isOverLimit;
}

/** What was bought with the frugal key: now, and at most at some moment of this round. One that failed gives room back. */
function frugalOf(model: Model, partner: Order['partner']): { readonly now: number; readonly most: number } {
  const all = model.ordersOf(partner, 'live').filter(({ isFrugal }) => isFrugal);
  const now = all.filter(({ state }) => state !== 'failed').length;
  const gone = all.filter(
    (one) => one.state === 'failed' && (one.round === model.round || model.before.open.includes(one)),
  );
  return { now, most: now + gone.length };
}

function requireFrugal(model: Model, partner: Order['partner']): void {
  const { now } = frugalOf(model, partner);
  requireThat(now <= FRUGAL_COUNT, `partner ${partner.id} bought more than its key may`, { now, may: FRUGAL_COUNT });
}
