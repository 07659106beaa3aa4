import type { Wayfare } from '../../../../../sdk/src/wayfare.ts';
import type { Micros } from '../../../../platform/amounts/cents.ts';
import { type Clock, MINUTE } from '../../../../platform/clock.ts';
import type { Failed } from '../../../../platform/http/call.ts';
import { type Absent, appleInstallUrl, type Esim, type OrderAnswer, type SupplierOrder } from '../../port/port.ts';
import { type Deadline, reasonOf, uniqueReference } from '../connection.ts';
import { type Json, listOf, microsOf, objectOf, textOf } from '../loose.ts';
import { type PartnerClient, type Refusal, readBalance, readRefusal, troubleOf } from './client.ts';
import type { Offers } from './offers.ts';

/*
 * Orders at a service that speaks the contract.
 *
 * Our reference is the idempotency key: the same key again returns the recorded order and buys nothing. A purchase that is refused
 * for lack of money is recorded as failed, too, and its key is used up for good. So an order has a chain of keys,
 * `wf-live-7-1763175315`, then `….2`, `….3`, each sent only after the one before it was read as failed. At most one of them is ever
 * open, and walking the chain from its start finds it. A failed order costs nothing and never arrives, so going on to the next key
 * cannot buy twice.
 *
 * A lost answer. Where the service lets orders be filtered by reference (beyond the contract), `find` only looks: all keys of an
 * order carry the same reference. The contract alone has no way to look. There `find` sends the purchase again, under the same keys
 * in the same order: what was bought is returned, and what never arrived is bought then. That is safe because `find` never answers
 * `absent` for something it may have bought, and because it asks nothing about an order that was certainly never sent: with
 * `orderedAt` null it answers `absent` without a call. So nobody who was told "absent" (and may have bought elsewhere) can be
 * surprised by it later.
 */

/** Final states of an order there. All others are still open. */
const DELIVERED = '1';
const FAILED = '2';

/** The outcome of an order that has a number there. It certainly exists, so no answer makes it absent. */
async function lookAt(
  wayfare: Wayfare,
  supplierOrder: string,
  order: Pick<SupplierOrder, 'refillOf' | 'plan'>,
  alarm: (reason: string) => void,
): Promise<OrderAnswer> {
  let found: Json;
  try {
    found = objectOf(await wayfare.order.detail(supplierOrder));
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    if ('failed' in trouble) return { outcome: 'unavailable', ...reasonOf(trouble) };
    const reason = `${trouble.status} ${trouble.code} about order ${supplierOrder}`;
    if (trouble.status < 429) alarm(reason);
    return { outcome: 'unavailable', reason };
  }
  const about = objectOf(found.order);
  if (textOf(about.product_id) !== order.plan) {
    const reason = `order ${supplierOrder} is of another plan there`;
    alarm(reason);
    return { outcome: 'unavailable', reason };
  }
  const status = textOf(about.status);
  if (status === FAILED) return { outcome: 'refused', reason: 'the order failed there' };
  if (status !== DELIVERED) return { outcome: 'pending', supplierOrder };
  const charged = chargedFor(about);
  if (order.refillOf) return { outcome: 'refilled', supplierOrder, ...charged };
  const esim = esimIn(objectOf(found.esim));
  return esim ? { outcome: 'delivered', supplierOrder, esim, ...charged } : { outcome: 'pending', supplierOrder };
}

function chargedFor({ sale_price }: Json): { charged?: NonNullable<ReturnType<typeof microsOf>> } {
  const charged = microsOf(sale_price);
  return charged === null ? {} : { charged };
}

const LPA = /^LPA:1\$([^$]+)\$([^$]*)/;

/**
 * The contract names the fields and not all of their forms: `lpa` is a host or the whole code, and so is `activationCode`. The
 * whole code wins wherever it stands; otherwise it is put together from its parts. Null: not complete.
 */
function esimIn(block: Json): Esim | null {
  const iccid = textOf(block.iccid);
  const texts = [block.qrcode, block.activationCode, block.lpa].flatMap((value) => textOf(value) ?? []);
  const [code, host, id] = LPA.exec(texts.find((text) => LPA.test(text)) ?? '') ?? [];
  const smdpAddress = host ?? textOf(block.smdpAddress) ?? textOf(block.lpa);
  const matchingId = id || textOf(block.matching_id) || textOf(block.activationCode);
  if (iccid === null || smdpAddress === null || (code === undefined && matchingId === null)) return null;
  const activationCode = texts.find((text) => LPA.test(text)) ?? `LPA:1$${smdpAddress}$${matchingId}`;
  return {
    iccid,
    smdpAddress,
    matchingId,
    activationCode,
    appleUrl: appleInstallUrl(activationCode),
    confirmationCode: textOf(block.confirmation_code),
    msisdn: textOf(block.msisdn),
    apn: textOf(block.apn),
    apnType: textOf(block.apn_type),
    apnValue: textOf(block.apn_value),
    isRoaming: typeof block.is_roaming === 'boolean' ? block.is_roaming : null,
  };
}

export interface OrderParts {
  readonly client: PartnerClient;
  readonly clock: Clock;
  readonly alarm: (reason: string) => void;
  /** Whose answer it was: numbers of orders there, with the key each was first returned for. */
  readonly seen: Map<string, string>;
}

/** A request may be on its way for so long. Until then "not listed" proves nothing. */
const SURE_AFTER_MS = 2 * MINUTE;
/** Keys of one order. Each after the first is sent only while the balance there covers the cost. */
const MOST_KEYS = 12;
const MOST_SEEN = 10_000;
/** Their reasons for a failure that is about our money, not about the order. */
const ABOUT_MONEY = /balance|credit/;

type Bought = OrderAnswer | Refusal | { readonly outcome: 'spent'; readonly isMoney: boolean };

export async function place(parts: OrderParts, order: SupplierOrder, deadline: Deadline): Promise<OrderAnswer> {
  const offers = await parts.client.offers(deadline);
  if ('failed' in offers) return { outcome: 'unavailable', ...reasonOf(offers) };
  const answer = await walk(parts, order, offers, deadline);
  return answer.outcome === 'no_credit' ? { ...answer, outcome: 'unavailable' } : answer;
}

export async function find(parts: OrderParts, order: SupplierOrder, deadline: Deadline): Promise<OrderAnswer | Absent> {
  const { client, alarm } = parts;
  const { supplierOrder } = order;
  if (supplierOrder !== null) return lookAt(client.within(deadline), supplierOrder, order, alarm);
  if (order.orderedAt === null) return { outcome: 'absent' };
  const offers: Offers | Failed = await client.offers(deadline);
  if ('failed' in offers) return { outcome: 'unavailable', ...reasonOf(offers) };
  if (offers.reference) return findByReference(parts, order, order.orderedAt, deadline);
  const answer = await walk(parts, order, offers, deadline);
  // Every key of the chain is on record as failed.
  if (answer.outcome === 'no_credit') return { outcome: 'absent' };
  return answer.outcome === 'unknown' ? { ...answer, outcome: 'unavailable' } : answer;
}

/** The list has no failed orders, so what it has is the one that is open or delivered. */
async function findByReference(
  { client, clock, alarm }: OrderParts,
  order: SupplierOrder,
  orderedAt: Date,
  deadline: Deadline,
): Promise<OrderAnswer | Absent> {
  const reference = uniqueReference(order);
  const wayfare = client.within(deadline);
  let listed: readonly Json[] | undefined;
  try {
    listed = listOf(objectOf(await wayfare.order.get({ reference, limit: 100 })).order);
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    if ('failed' in trouble) return { outcome: 'unavailable', ...reasonOf(trouble) };
    return { outcome: 'unavailable', reason: `${trouble.status} ${trouble.code}` };
  }
  const own = (listed ?? []).filter((one) => textOf(one.reference) === reference);
  if (!listed || own.length !== listed.length) return { outcome: 'unavailable', reason: 'their list is not ours' };
  if (own.length > 1) alarm(`${own.length} orders under ${reference}`);
  const number = textOf(own.at(-1)?.id);
  if (number !== null) return lookAt(wayfare, number, order, alarm);
  if (clock.now() < orderedAt.getTime() + SURE_AFTER_MS)
    return { outcome: 'unavailable', reason: 'not listed, but it may still arrive' };
  return { outcome: 'absent' };
}

type Walked = OrderAnswer | Extract<Refusal, { outcome: 'no_credit' }>;

/** Sends the purchase under the first key of its chain that is not used up. */
async function walk(parts: OrderParts, order: SupplierOrder, offers: Offers, deadline: Deadline): Promise<Walked> {
  if (order.refillOf && !offers.refills) return { outcome: 'refused', reason: 'they sell no refills' };
  const reference = uniqueReference(order);
  for (let n = 1; ; n++) {
    const answer = await buy(
      parts,
      order,
      { reference, key: n === 1 ? reference : `${reference}.${n}`, offers },
      deadline,
    );
    if (answer.outcome === 'stuck')
      return answer.orderId === null
        ? { outcome: 'unknown', reason: answer.reason }
        : { outcome: 'pending', supplierOrder: answer.orderId };
    if (answer.outcome !== 'spent') return answer;
    if (n === MOST_KEYS) {
      if (!answer.isMoney) return { outcome: 'refused', reason: 'the order failed there' };
      parts.alarm(`${reference} was refused for lack of money ${n} times: it waits for the operator`);
      return { outcome: 'unavailable', reason: 'refused for lack of money too often' };
    }
    const poor = await cannotPay(parts, order, deadline);
    if (poor) return poor;
  }
}

/** Every purchase the account cannot pay uses up a key, so the balance and the current price are read first. */
async function cannotPay(parts: OrderParts, order: SupplierOrder, deadline: Deadline): Promise<Walked | undefined> {
  const [left, price] = await Promise.all([readBalance(parts.client, deadline), priceNow(parts, order, deadline)]);
  if (left.outcome === 'unavailable') return { outcome: 'unavailable', reason: `their balance: ${left.reason}` };
  if (left.balance >= price && left.balance > 0n) return undefined;
  const reason = 'our account there cannot pay for it';
  parts.alarm(reason);
  return { outcome: 'no_credit', reason };
}

/** What the plan costs there now; the cost we expect, if they do not say. */
async function priceNow({ client }: OrderParts, { plan, cost }: SupplierOrder, deadline: Deadline): Promise<Micros> {
  const answer = await client
    .within(deadline)
    .catalog.product(plan)
    .catch(() => undefined);
  return microsOf(objectOf(objectOf(answer).product).partner_price) ?? cost;
}

interface ReferredOrder {
  readonly reference: string;
  readonly key: string;
  readonly offers: Offers;
}

async function buy(
  { client, alarm, seen }: OrderParts,
  order: SupplierOrder,
  { reference, key, offers }: ReferredOrder,
  deadline: Deadline,
): Promise<Bought> {
  const { plan, refillOf } = order;
  const wayfare = client.within(deadline);
  const fields = { product_id: plan, idempotency_key: key, ...(offers.reference && { reference }) };
  let bought: Json;
  try {
    bought = objectOf(
      await (refillOf ? wayfare.purchase.refill({ ...fields, iccid: refillOf.iccid }) : wayfare.purchase.buy(fields)),
    );
  } catch (thrown) {
    return readRefusal(troubleOf(thrown), alarm);
  }
  const made = objectOf(bought.order);
  const number = textOf(bought.order_id) ?? textOf(bought.id);
  const isOurs = textOf(made.product_id) === plan && (!offers.reference || textOf(made.reference) === reference);
  // An answer about another order belongs to another call, even if it came on our connection.
  if (number === null || !isOurs || !isFirst(seen, number, key)) return { outcome: 'unknown', reason: 'not our order' };
  switch (textOf(bought.delivery)) {
    case 'delivered':
      if (refillOf) return { outcome: 'refilled', supplierOrder: number, ...chargedFor(made) };
      return seenDelivered(await lookAt(wayfare, number, order, alarm), number);
    case 'deferred':
      return { outcome: 'pending', supplierOrder: number };
    case 'failed': {
      const reason = textOf(bought.delivery_reason) ?? '';
      // Without a reason it may have been about money. What fails costs nothing, so another key is tried.
      if (reason === '' || ABOUT_MONEY.test(reason)) return { outcome: 'spent', isMoney: reason !== '' };
      return { outcome: 'refused', reason: 'the order failed there' };
    }
    default:
      return { outcome: 'unknown', reason: 'an answer without an outcome' };
  }
}

/** It has a number, so whatever the look-up brings, the order is there. */
const seenDelivered = (answer: OrderAnswer, supplierOrder: string): OrderAnswer =>
  answer.outcome === 'unavailable' ? { outcome: 'pending', supplierOrder } : answer;

/** A repeated answer names an order that another key has been answered with. */
function isFirst(seen: Map<string, string>, number: string, key: string): boolean {
  const by = seen.get(number);
  if (by !== undefined) return by === key;
  if (seen.size >= MOST_SEEN) seen.clear();
  seen.set(number, key);
  return true;
}
