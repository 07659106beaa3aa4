import { hash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { purchaseStates } from '../../../domains/sales/order-lists/order-lists.ts';
import { DAY, MINUTE, parseTimestamp, SECOND, timestamp } from '../../../platform/clock.ts';
import { Failure, fail } from '../../../platform/contract/failure.ts';
import { bigIdIn } from '../../../platform/contract/ids.ts';
import type { Context, Reply } from '../endpoint.ts';
import { badField, notOptedIn, ok, recycled, refused } from './answers.ts';
import { airalo, type ClientContext, callOwn, type Sent, type Shop } from './endpoint.ts';
import {
  type Bought,
  findBought,
  isFailed,
  isOpen,
  listBought,
  newOrderView,
  orderView,
  shownWith,
} from './order-views.ts';
import { addressFor } from './webhooks.ts';

const MOST = 50;
/** Beyond it their clients give up. */
const LONGEST_WAIT_MS = 25 * SECOND;
const LOOK_EVERY_MS = 250;
/** An asynchronous order is accepted once it is paid, whatever its supplier does. */
const ACCEPTED_WITHIN_MS = 3 * SECOND;
const REPEAT_MS = 1 * MINUTE;
/** What their clients send where nobody gave a description: it names no order. */
const CONSTANT = /^(bulk |async |future )*(order|top-?up|esim)s? placed (via|from|with|through) .*sdk$/i;

/** Fields of an order. Those of mails and brands are refused, the rest is ignored. */
const orderFields = [
  'package_id',
  'quantity',
  'type',
  'description',
  'webhook_url',
  'brand_settings_name',
  'to_email',
  'sharing_option',
  'copy_address',
  'sandbox_scenario',
];

/** Counted as so many calls as it buys eSIMs. */
const simsIn = (sent: { get(name: string): unknown }): number => {
  const sims = sent.get('quantity');
  const quantity = typeof sims === 'string' && /^\d{1,2}$/.test(sims) ? Number(sims) : 1;
  return quantity >= 1 && quantity <= MOST ? quantity : 1;
};

function requireOrder({ package_id, quantity = '1', type = 'sim', to_email, brand_settings_name }: Sent) {
  if (package_id === undefined) throw fail('product_id_required');
  if (!/^\d{1,6}$/.test(quantity)) throw badField('quantity', 'The quantity must be an integer.');
  if (Number(quantity) < 1) throw badField('quantity', 'The quantity must be at least 1.');
  if (Number(quantity) > MOST) throw badField('quantity', `The quantity may not be greater than ${MOST}.`);
  if (type !== 'sim') throw badField('type', 'The selected type is invalid.');
  if (to_email !== undefined)
    throw badField('to_email', 'Mails to travellers are not offered: send them the link in sharing.link.');
  if (brand_settings_name !== undefined) throw badField('brand_settings_name', "Brand settings name doesn't exist.");
  return { productId: package_id, quantity: Number(quantity) };
}

/** Their protocol has no idempotency, so each order has a key of its own, unless repeated orders are to be found. */
async function keyFor({ dedupes }: Shop, { world, partnerId, requestId, now }: Context, sent: Sent): Promise<string> {
  const { description, package_id, quantity = '1', iccid = '' } = sent;
  if (!dedupes || description === undefined || CONSTANT.test(description)) return `airalo:${requestId}`;
  const fingerprint = hash('sha256', JSON.stringify([description, package_id, quantity, iccid]));
  const at = await world.airaloNotices.firstAsked(partnerId, fingerprint, new Date(now), REPEAT_MS);
  return `airalo:${fingerprint.slice(0, 32)}:${at.getTime()}`;
}

/** Buys it: an order of n eSIMs is a batch of ours. Returns its number. */
async function buy(shop: Shop, context: Context, sent: Sent): Promise<bigint> {
  const { productId, quantity } = requireOrder(sent);
  const item = { product_id: productId, quantity, reference: sent.description };
  const body = await callOwn(shop, context, '/purchase/batch', {
    items: JSON.stringify([item]),
    idempotency_key: await keyFor(shop, context, sent),
    sandbox_scenario: sent.sandbox_scenario,
  });
  return BigInt(Number(body.batch_id));
}

async function require(context: Context, id: bigint): Promise<Bought> {
  const found = await findBought(context, 'purchases', id);
  if (!found) throw fail('order_not_found');
  return found;
}

/** 25 letters and digits, as theirs. */
const newRequestId = (): string => randomBytes(13).toString('hex').slice(1);

/** Waits until nothing of the order is open, or the time is up. */
async function settled(context: Context, id: bigint, until: number): Promise<Bought> {
  for (;;) {
    const orders = await require(context, id);
    if (!orders.some(isOpen) || performance.now() >= until) return orders;
    await wait(LOOK_EVERY_MS);
  }
}

/**
 * A synchronous order waits for its eSIMs. What is not there in time has no shape in their protocol: it is cancelled if certainly no supplier
 * has any of it, and otherwise answered with the eSIMs there are.
 */
async function inTime(
  shop: Shop,
  context: ClientContext,
  place: (context: ClientContext) => Promise<bigint>,
): Promise<Reply> {
  const { world, partnerId, now, requestId } = context;
  const { budgets, log } = shop;
  const waitMs = Math.min(LONGEST_WAIT_MS, 0.9 * budgets.limitMs);
  const until = performance.now() + waitMs;
  const id = await place({ ...context, budget: budgets.begin(waitMs - budgets.limitMs) });
  const orderId = Number(id);
  let orders = await settled(context, id, until);
  if (orders.some(isOpen)) {
    const orderIds = orders.map((order) => order.id);
    const cancelled = await world.provisioning.cancelUnsent({ partnerId, orderIds, at: new Date(now) });
    orders = await require(context, id);
    const missing = orders.filter(isOpen).length;
    const isTold = missing > 0 && (await expectRest(shop, context, orders));
    log.warn(
      { orderId, requestId, cancelled, missing, isTold },
      cancelled
        ? 'an order of an Airalo client was cancelled: its eSIMs did not come in time'
        : 'an order of an Airalo client was answered without all of its eSIMs: the rest follows by its webhook, if it has opted in',
    );
  }
  if (orders.every(isFailed)) throw failureOf(orders);
  return { ...ok(await newOrderView(context, orders)), orderId };
}

/** The rest is sent where the client wants the results of its asynchronous orders. Returns whether it wants them. */
async function expectRest({ clock }: Shop, context: ClientContext, [first]: Bought): Promise<boolean> {
  const { world, partnerId, keyId, now } = context;
  const url = (await world.airaloNotices.optedIn(keyId)).get('async_orders') ?? null;
  const [at, dueAt] = [new Date(now), new Date(clock.now())];
  const notice = { partnerId, keyId, orderId: first.id, requestId: newRequestId(), isRest: true, url, at, dueAt };
  await world.airaloNotices.expect(notice);
  return url !== null;
}

/** An order of which nothing came. What it cost went back. */
function failureOf([first]: Bought): Failure {
  return first.cancel?.status === 'cancelled'
    ? refused(33, 'Not enough eSIM stock available for this package', 'service_unavailable')
    : fail('product_not_found');
}

/** The same in the background: the result comes by a webhook. */
async function orderLater(shop: Shop, context: ClientContext, sent: Sent): Promise<Reply> {
  const { world, partnerId, keyId, now } = context;
  const url = await addressFor(shop, context, 'async_orders', sent);
  if (url === undefined) throw notOptedIn();
  const notice = { requestId: newRequestId(), url, dueAt: new Date(shop.clock.now()) };
  const budget = shop.budgets.begin(Math.min(0, ACCEPTED_WITHIN_MS - shop.budgets.limitMs));
  const orderId = await buy(shop, { ...context, budget, notice }, sent);
  // A new order has been written with its notice. One that was found again gets another.
  if (shop.dedupes)
    await world.airaloNotices.expect({ partnerId, keyId, orderId, isRest: false, at: new Date(now), ...notice });
  return {
    status: 202,
    ...ok({ request_id: notice.requestId, accepted_at: timestamp(now) }),
    orderId: Number(orderId),
  };
}

async function topUp(shop: Shop, context: Context, sent: Sent): Promise<bigint> {
  const { package_id, iccid, description } = sent;
  if (package_id === undefined) throw fail('product_id_required');
  if (iccid === undefined) throw badField('iccid', 'The iccid field is required.', 'iccid_required');
  try {
    const body = await callOwn(shop, context, '/purchase/refill', {
      iccid,
      product_id: package_id,
      reference: description,
      idempotency_key: await keyFor(shop, context, sent),
      sandbox_scenario: sent.sandbox_scenario,
    });
    return BigInt(Number(body.order_id));
  } catch (error) {
    throw error instanceof Failure ? await refillRefusal(context, iccid, error) : error;
  }
}

/** An eSIM that is not the caller's is like one that does not exist. */
async function refillRefusal(context: Context, iccid: string, refusal: Failure): Promise<Failure> {
  const { world, catalog, partnerId, now } = context;
  if (refusal.code === 'esim_not_found') return badField('iccid', 'The selected iccid is invalid.', 'esim_not_found');
  const esim = refusal.code === 'invalid_refill' ? await world.esims.find(partnerId, iccid, now) : undefined;
  if (!esim) return refusal;
  if (esim.state === 'cancelled') return recycled();
  const refills = await world.esims.refillsOf(catalog, esim);
  return refills.length > 0
    ? refusal
    : refused(23, 'The operator does not support topups for this eSIM', 'invalid_refill');
}

function listed(context: Context, sent: Sent, path: string): Promise<Reply> {
  const [from, to] = daysIn(sent['filter.created_at']);
  const asked = sent['filter.order_status'];
  const state = purchaseStates.find((one) => one === asked);
  if (asked !== state) throw badField('filter.order_status', 'The selected filter.order_status is invalid.');
  const code = sent['filter.code'];
  const filter = {
    rows: 'purchases',
    reference: sent['filter.description'],
    iccid: sent['filter.iccid'],
    id: code === undefined ? undefined : (bigIdIn(code.split('-').at(-1) ?? '') ?? 0n),
    state,
    from,
    to,
  } as const;
  return listBought(context, filter, { ...sent, path }, orderView);
}

/** `2024-01-01 - 2024-01-31`, both days included. */
function daysIn(text: string | undefined): [Date | undefined, Date | undefined] {
  if (text === undefined) return [undefined, undefined];
  const [, first = '', last = ''] = /^(\d{4}-\d\d-\d\d) - (\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  const [from, to] = [first, last].map((day) => parseTimestamp(`${day} 00:00:00`));
  if (!from || !to) throw badField('filter.created_at', 'The filter.created_at must be two dates: Y-m-d - Y-m-d.');
  return [from, new Date(to.getTime() + DAY)];
}

/** The body of a webhook: the answer to a new order, as it stands now. Undefined: something of it is still open. */
export async function resultOf(
  context: Pick<Context, 'world' | 'partnerId' | 'catalog'>,
  id: bigint,
  requestId: string | null,
): Promise<object | undefined> {
  const orders = await findBought(context, 'purchases', id);
  if (!orders || orders.some(isOpen)) return undefined;
  const named = { request_id: requestId };
  if (orders.every(isFailed)) return { reason: 'The order failed. Nothing was charged.', ...named };
  // Their documents do not say where it stands.
  return { ...ok({ ...(await newOrderView(context, orders)), ...named }).body, ...named };
}

export const orderEndpoints = (shop: Shop) => [
  airalo({
    verb: 'POST',
    path: '/orders',
    tier: 'purchase',
    permission: 'buy',
    fields: orderFields,
    calls: simsIn,
    handle: (context, sent) => inTime(shop, context, (timed) => buy(shop, timed, sent)),
  }),
  airalo({
    verb: 'POST',
    path: '/orders-async',
    tier: 'purchase',
    permission: 'buy',
    fields: orderFields,
    calls: simsIn,
    handle: (context, sent) => orderLater(shop, context, sent),
  }),
  airalo({
    verb: 'POST',
    path: '/orders/topups',
    tier: 'purchase',
    permission: 'buy',
    fields: ['package_id', 'iccid', 'description', 'sandbox_scenario'],
    handle: (context, sent) => inTime(shop, context, (timed) => topUp(shop, timed, sent)),
  }),
  airalo({
    verb: 'GET',
    path: '/orders',
    tier: 'read',
    fields: [
      'include',
      'filter.created_at',
      'filter.code',
      'filter.order_status',
      'filter.iccid',
      'filter.description',
      'limit',
      'page',
    ],
    handle: (context, sent, { path }) => listed(context, sent, path),
  }),
  airalo({
    verb: 'GET',
    path: '/orders/{id}',
    tier: 'read',
    fields: ['include'],
    async handle(context, sent, { param }) {
      const id = bigIdIn(param);
      if (id === undefined) throw fail('order_not_found');
      const orders = await require(context, id);
      return { ...ok(orderView(orders, await shownWith(context, [orders], sent.include))), orderId: Number(id) };
    },
  }),
];
