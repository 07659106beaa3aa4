import { randomUUID } from 'node:crypto';
import type { Catalog, Plan } from './catalog.ts';
import { centsOf, usd } from './money.ts';
import type { Payments } from './payments.ts';
import { type Wayfare, WayfareError } from './sdk.ts';
import type { Order, Status, Store } from './store.ts';

/**
 * An order goes from step to step, and every step can be repeated: payments and purchases have the order's id as their key, so the
 * second time they return what the first made. `proceed` takes an order as far as it can go now. The customer's page, the
 * webhook, the sweep and the start of the shop all call it, so an order that was interrupted half-way is finished by the next call.
 */
export interface Shop {
  readonly store: Store;
  readonly wayfare: Wayfare;
  readonly payments: Payments;
  readonly catalog: Catalog;
}

/** Refused for good: nothing is charged and nothing will come. Anything else may still go through, so it is tried again. */
const REFUSED: readonly string[] = [
  ...[
    'product_not_found',
    'invalid_product',
    'invalid_price',
    'invalid_partner_price',
    'invalid_refill',
    'esim_not_found',
  ],
  // It costs more than the customer paid. Their money goes back, and the catalog is read again before the next sale.
  'price_changed',
  ...['insufficient_balance', 'credit_limit_exceeded', 'credit_charge_failed', 'partner_account_suspended'],
];
const PAY_WITHIN_MS = 60 * 60_000;

export interface Wanted {
  readonly id: string;
  readonly plan: Pick<Plan, 'id' | 'title' | 'retailCents'>;
  readonly email: string;
  readonly refills?: string;
  readonly scenario?: Order['scenario'];
}

/** Written down before anything is paid or bought. Sent twice, it is the same order. */
export function placeOrder({ store }: Shop, { id, plan, email, refills = '', scenario = '' }: Wanted): Order {
  return store.add({
    id,
    product_id: plan.id,
    title: plan.title,
    email,
    refills,
    scenario,
    retail_cents: plan.retailCents,
  });
}

/** `isNews`: something happened to it at Wayfare, also if we expected nothing. */
export async function proceed(shop: Shop, id: string, isNews = false): Promise<Order> {
  shop.store.looked(id);
  let order = found(shop, id);
  if (order.status === 'unpaid') order = await askForPayment(shop, order);
  if (order.status === 'paid') order = order.batch === '' ? await buy(shop, order) : await buyBatch(shop, order);
  else if (isOnItsWay(order) || (isNews && order.wayfare_id > 0)) order = await readBack(shop, order);
  // Bought, but the activation data was not read yet.
  if (order.status === 'delivered' && order.iccid === '') order = await readBack(shop, order);
  return giveBack(shop, order);
}

const isOnItsWay = ({ status, refund, cancel: called }: Order): boolean =>
  status === 'waiting' || refund === 'requested' || called === 'requested';

async function askForPayment({ store, payments }: Shop, { id, created_at }: Order): Promise<Order> {
  const isLate = Date.now() - Date.parse(created_at) > PAY_WITHIN_MS;
  const status = isLate ? await payments.close(id) : await payments.statusOf(id);
  return store.change(id, (now) => {
    if (now.status !== 'unpaid' || status === 'open') return {};
    return { status: status === 'paid' ? 'paid' : 'abandoned' };
  });
}

async function buy(shop: Shop, { id, product_id, refills, scenario, retail_cents }: Order): Promise<Order> {
  // Never for more than the customer paid.
  const max_price = usd(retail_cents);
  const script = scenario && { sandbox_scenario: scenario };
  const sale = { product_id, max_price, idempotency_key: id, reference: id, ...script };
  const { purchase } = shop.wayfare;
  try {
    const bought = refills === '' ? await purchase.buy(sale) : await purchase.refill({ ...sale, iccid: refills });
    return record(shop, id, bought.order, bought.delivery_reason);
  } catch (error) {
    await refused(shop, [id], error);
    return found(shop, id);
  }
}

/** What Wayfare says of an order at the moment of the purchase, also of one that an earlier attempt made. `why` is for one that failed. */
function record(
  { store }: Shop,
  id: string,
  there: { id: string; sale_price: string; status: string },
  why = '',
): Order {
  return store.change(id, (now) => ({
    wayfare_id: Number(there.id),
    cost_cents: centsOf(there.sale_price),
    ...whatBecame(now, there.status, why),
  }));
}

/** Delivered and failed are final: a late answer must not undo them. */
function whatBecame(now: Order, code: string, why = ''): { status: Status; owed_cents: number; note: string } {
  const isOver = now.status === 'delivered' || now.status === 'failed';
  const status = isOver ? now.status : code === '1' ? 'delivered' : code === '2' ? 'failed' : 'waiting';
  if (status !== 'failed') return { status, owed_cents: now.owed_cents, note: '' };
  return { status, owed_cents: now.retail_cents, note: isOver ? now.note : why };
}

/** Fails orders that were refused for good, unless an earlier attempt bought them and only its answer was lost. */
async function refused(shop: Shop, ids: readonly string[], error: unknown): Promise<void> {
  const note = error instanceof WayfareError ? error.code : 'no answer';
  const isFinal = REFUSED.includes(note);
  if (note === 'price_changed') shop.catalog.readAgain();
  for (const id of ids) {
    const [there] = isFinal ? (await shop.wayfare.order.get({ reference: id })).order : [];
    if (there) record(shop, id, there, note);
    else
      shop.store.change(id, (now) => {
        if (now.status !== 'paid') return {};
        return isFinal ? { status: 'failed', owed_cents: now.retail_cents, note } : { note };
      });
  }
  if (!isFinal) throw error;
}

/** Reads the order at Wayfare and writes down what it says. */
async function readBack({ store, wayfare }: Shop, { id, wayfare_id }: Order): Promise<Order> {
  const { order: there, esim, refund, cancel } = await wayfare.order.detail(wayfare_id);
  return store.change(id, (now) => {
    const refunded = Math.max(now.refunded_cents, centsOf(refund?.amount ?? 0));
    const became = whatBecame(now, there.status);
    // The customer gets back the same share of their price as we do of ours.
    const share = now.cost_cents === 0 ? 0 : Math.round((now.retail_cents * refunded) / now.cost_cents);
    return {
      ...became,
      owed_cents: Math.max(became.owed_cents, share),
      refund: refund?.status ?? now.refund,
      cancel: cancel?.status ?? now.cancel,
      refunded_cents: became.status === 'failed' ? 0 : refunded,
      iccid: esim.iccid ?? '',
      share_url: esim.share_url ?? '',
    };
  });
}

/** Refunds what the customer is owed to their card. Groups pay by invoice, which leaves it out. */
async function giveBack({ store, payments }: Shop, order: Order): Promise<Order> {
  const { id, owed_cents, returned_cents, batch } = order;
  if (returned_cents >= owed_cents) return order;
  if (batch === '') await payments.giveBack(id, owed_cents);
  return store.change(id, (now) => ({ returned_cents: Math.max(now.returned_cents, owed_cents) }));
}

/** An unused eSIM is refunded at once; for any other the operator decides. */
export async function askForRefund(shop: Shop, id: string): Promise<Order> {
  const order = found(shop, id);
  if (order.status !== 'delivered' || order.refund !== '') return order;
  await shop.wayfare.order.refund({ order_id: order.wayfare_id, reason: 'The customer asked for it' });
  return proceed(shop, id, true);
}

/** An order can be cancelled until it is delivered. If it is too late, it is delivered as usual. */
export async function cancel(shop: Shop, id: string): Promise<Order> {
  const order = found(shop, id);
  if (order.status !== 'waiting') return order;
  await shop.wayfare.order.cancel({ order_id: order.wayfare_id });
  return proceed(shop, id, true);
}

export interface Group {
  readonly plan: Pick<Plan, 'id' | 'title' | 'retailCents'>;
  readonly quantity: number;
  readonly email: string;
  /** The idempotency key of the whole. */
  readonly batch: string;
}

/** Many eSIMs for one group, on an invoice: one decision about money, and then each is an order of its own. */
export async function orderBatch(shop: Shop, { plan, quantity, email, batch }: Group): Promise<Order[]> {
  shop.store.atOnce(() => {
    if (shop.store.batch(batch).length > 0) return;
    const row = { product_id: plan.id, title: plan.title, email, retail_cents: plan.retailCents, batch };
    for (let n = 0; n < quantity; n++) shop.store.add({ id: randomUUID(), ...row, status: 'paid' });
  });
  const [first] = shop.store.batch(batch);
  if (first?.status === 'paid') await buyBatch(shop, first);
  return shop.store.batch(batch);
}

async function buyBatch(shop: Shop, { id, batch }: Order): Promise<Order> {
  const ours = shop.store.batch(batch);
  const items = ours.map((one) => ({ product_id: one.product_id, quantity: 1, reference: one.id }));
  try {
    const max_total = usd(ours.reduce((sum, one) => sum + one.retail_cents, 0));
    const { orders } = await shop.wayfare.purchase.batch({ items, max_total, idempotency_key: batch });
    for (const there of orders) record(shop, there.reference, there);
  } catch (error) {
    await refused(
      shop,
      ours.map((one) => one.id),
      error,
    );
  }
  return found(shop, id);
}

const SWEEP_AT_ONCE = 200;

/** Takes every open order as far as it can go. Returns how many failed. */
export async function sweep(shop: Shop, atMost = SWEEP_AT_ONCE): Promise<number> {
  let left = 0;
  for (const { id } of shop.store.open(atMost))
    await proceed(shop, id).catch((error: Error) => {
      left += 1;
      console.warn(`Order ${id} has to wait: ${error.message}`);
    });
  return left;
}

function found({ store }: Shop, id: string): Order {
  const order = store.order(id);
  if (!order) throw new Error(`There is no order ${id}`);
  return order;
}
