import type { Micros } from '../../../../platform/amounts/cents.ts';
import { MINUTE } from '../../../../platform/clock.ts';
import type { Called } from '../../../../platform/http/call.ts';
import { type Absent, appleInstallUrl, type Esim, type OrderAnswer, type SupplierOrder } from '../../port/port.ts';
import {
  type Deadline,
  type JsonClient,
  type Meaning,
  type Refusal,
  reasonOf,
  refusalOf,
  uniqueReference,
} from '../connection.ts';
import { type Json, listOf, microsOf, numberOf, objectOf, parseObject, textOf } from '../loose.ts';

type Answered = Extract<Called, { status: number }>;

/** Airalo's codes, in our words: text from the other side does not go into our log. */
const byCode: Readonly<Record<number, Meaning>> = {
  11: { outcome: 'unavailable', reason: 'no credit left at Airalo', mend: true },
  13: { outcome: 'unavailable', reason: 'the operator is under maintenance' },
  14: { outcome: 'unavailable', reason: 'the signature is refused', mend: true },
  23: { outcome: 'refused', reason: 'refills are disabled by the operator' },
  33: { outcome: 'unavailable', reason: 'not enough stock' },
  34: { outcome: 'refused', reason: 'package invalid or out of stock' },
  43: { outcome: 'refused', reason: 'bad request' },
  53: { outcome: 'unknown', reason: 'unexpected error' },
  73: { outcome: 'refused', reason: 'eSIM recycled' },
  89: { outcome: 'unavailable', reason: "our address is not on Airalo's list", mend: true },
};

const byStatus: Readonly<Record<number, Meaning>> = {
  401: { outcome: 'unavailable', reason: 'the token is refused', mend: true },
  403: { outcome: 'unavailable', reason: 'forbidden', mend: true },
  429: { outcome: 'unavailable', reason: 'too many calls' },
};

/** What a rejected order means. After an undocumented answer the order may exist. */
function readRefusal({ status, text }: Answered, alarm: (reason: string) => void): Refusal {
  const body = parseObject(text);
  const code = status === 422 || status === 403 ? numberOf(body.code) : null;
  const meaning = (code !== null && byCode[code]) || byStatus[status] || (status === 422 && fieldErrors(body.data));
  const called = `HTTP ${status}${code === null ? '' : `, code ${code}`}`;
  return meaning ? refusalOf(meaning, called, alarm) : { outcome: 'unknown', reason: called };
}

/** We always order one, so a complaint about the quantity alone means the stock has run out, and that is temporary. */
function fieldErrors(data: unknown): Meaning | undefined {
  const fields = Object.keys(objectOf(data)).filter((field) => /^\w{1,40}$/.test(field));
  if (fields.length === 0) return undefined;
  if (fields.join() === 'quantity') return { outcome: 'unavailable', reason: 'not enough stock' };
  return { outcome: 'refused', reason: `${fields.slice(0, 5).join(', ')} refused` };
}

/** How long Airalo may take to finish or list an order whose reply was lost. Until then "not listed" proves nothing. */
const SURE_AFTER_MS = 5 * MINUTE;
/** Each listed order includes its installation texts. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** Airalo has no idempotency keys. Our reference travels as the description, and a lost order or refill is found by it. */
export async function place(
  client: JsonClient,
  order: SupplierOrder,
  deadline: Deadline,
  alarm: (reason: string) => void,
): Promise<OrderAnswer> {
  const description = uniqueReference(order);
  const { plan: package_id, refillOf } = order;
  const called = refillOf
    ? await client.post('/orders/topups', { package_id, iccid: refillOf.iccid, description }, deadline)
    : await client.post('/orders', { package_id, quantity: 1, type: 'sim', description }, deadline);
  if ('failed' in called) return { outcome: called.sent ? 'unknown' : 'unavailable', ...reasonOf(called) };
  if (called.status !== 200) return readRefusal(called, alarm);
  const placed = objectOf(parseObject(called.text).data);
  const supplierOrder = textOf(placed.id);
  if (supplierOrder !== null && textOf(placed.description) === null) {
    // It exists, but it cannot be found by our reference. Its number keeps it from being ordered again.
    alarm(`order ${supplierOrder} came back without our reference ${description}`);
    return { outcome: 'pending', supplierOrder };
  }
  // An answer with another reference belongs to another order, even if it came on our connection.
  if (placed.description !== description) return { outcome: 'unknown', reason: 'HTTP 200, not our reference' };
  return readOrder(placed, order);
}

export async function findByDescription(
  client: JsonClient,
  order: SupplierOrder,
  deadline: Deadline,
  now: number,
  alarm: (reason: string) => void,
): Promise<OrderAnswer | Absent> {
  const description = uniqueReference(order);
  const query = new URLSearchParams({ 'filter[description]': description, include: 'sims,status' });
  const called = await client.get(`/orders?${query}`, deadline, { maxBytes: MAX_LIST_BYTES });
  if ('failed' in called) return { outcome: 'unavailable', ...reasonOf(called) };
  const listed = listOf(parseObject(called.text).data);
  if (called.status !== 200 || !listed) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  // The search returns every order whose description contains our reference.
  const found = listed.filter((one) => one.description === description).map((one) => readOrder(one, order));
  const open = found.filter(({ outcome }) => outcome !== 'refused');
  if (open.length > 1) alarm(`${open.length} orders under ${description}`);
  const [answer] = [...open, ...found];
  if (answer) return answer.outcome === 'unknown' ? { ...answer, outcome: 'unavailable' } : answer;
  return unlisted(order, description, now, alarm);
}

/**
 * An order that is not listed under our reference counts as absent once, so it is placed a second time. If Airalo loses references,
 * that would go on for ever, and each order costs money. So after the second try, or if Airalo has accepted the order, it waits for
 * the operator.
 */
function unlisted(
  { orderedAt, paidAt, supplierOrder }: SupplierOrder,
  description: string,
  now: number,
  alarm: (reason: string) => void,
): OrderAnswer | Absent {
  if (orderedAt === null && supplierOrder === null) return { outcome: 'absent' };
  if (orderedAt !== null && now < orderedAt.getTime() + SURE_AFTER_MS)
    return { outcome: 'unavailable', reason: 'not listed, but it may still appear' };
  // The first try goes out at the time of payment.
  const isRetry = orderedAt !== null && orderedAt.getTime() > paidAt.getTime();
  if (!isRetry && supplierOrder === null) return { outcome: 'absent' };
  const what = supplierOrder === null ? 'was ordered twice' : `is order ${supplierOrder}`;
  const reason = `${description} ${what}, but Airalo does not list it: it waits for the operator`;
  // An order with a number raised the alarm when it came back.
  if (supplierOrder === null) alarm(reason);
  return { outcome: 'unavailable', reason };
}

/** Charged but never delivered, or returned. */
const OVER = ['failed', 'refunded'];
/** The reply to a new order has no status. */
const DONE = [null, 'completed', 'partially_refunded'];

function readOrder(made: Json, { refillOf }: SupplierOrder): OrderAnswer {
  const supplierOrder = textOf(made.id);
  if (supplierOrder === null) return { outcome: 'unknown', reason: 'an order without a number' };
  const status = textOf(objectOf(made.status).slug);
  if (status !== null && OVER.includes(status)) return { outcome: 'refused', reason: `the order is ${status}` };
  const price = chargedFor(made);
  const charged = price === null ? {} : { charged: price };
  if (refillOf) {
    const isDone = DONE.includes(status);
    return isDone ? { outcome: 'refilled', supplierOrder, ...charged } : { outcome: 'pending', supplierOrder };
  }
  const [sim] = listOf(made.sims) ?? [];
  const esim = sim && readSim(sim);
  return esim ? { outcome: 'delivered', supplierOrder, esim, ...charged } : { outcome: 'pending', supplierOrder };
}

/**
 * What Airalo took for the order: the amount paid on accounts with a discount, else the net price. `price` is the retail price,
 * which is not what we pay. Null if the reply has none, or not in dollars.
 */
function chargedFor(order: Json): Micros | null {
  if ((textOf(order.currency) ?? 'USD') !== 'USD') return null;
  return microsOf(order.total_amount_paid) ?? microsOf(order.net_price);
}

/** Undefined while the profile is incomplete. */
function readSim(sim: Json): Esim | undefined {
  const iccid = textOf(sim.iccid);
  const smdpAddress = textOf(sim.lpa);
  const matchingId = textOf(sim.matching_id);
  const activationCode = textOf(sim.qrcode) ?? `LPA:1$${smdpAddress}$${matchingId ?? ''}`;
  if (iccid === null || smdpAddress === null) return undefined;
  return {
    iccid,
    smdpAddress,
    matchingId,
    activationCode,
    appleUrl: textOf(sim.direct_apple_installation_url) ?? appleInstallUrl(activationCode),
    confirmationCode: textOf(sim.confirmation_code),
    msisdn: textOf(sim.msisdn),
    apn: textOf(sim.apn) ?? apnOf(sim.apn, 'ios') ?? apnOf(sim.apn, 'android'),
    apnType: textOf(sim.apn_type),
    apnValue: textOf(sim.apn_value),
    isRoaming: typeof sim.is_roaming === 'boolean' ? sim.is_roaming : null,
  };
}

const apnOf = (apn: unknown, system: string): string | null => textOf(objectOf(objectOf(apn)[system]).apn_value);
