import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE } from '../../../../platform/clock.ts';
import type { Absent, OrderAnswer, SupplierOrder } from '../../port/port.ts';
import { type Deadline, reasonOf } from '../connection.ts';
import { objectOf, parseObject } from '../loose.ts';
import { endOfChain, idOf, type OrderParts, readLink } from './chain.ts';
import { codeIn, notDone, readBalance } from './client.ts';
import { offerIdOf, offerMicros } from './plans.ts';

/** How long a purchase whose reply was lost may take to appear. Until then "not found" proves nothing. */
const SURE_AFTER_MS = 2 * MINUTE;
const NO_CREDIT = 'no credit left at Zendit';

/**
 * Buys an eSIM or a refill. Zendit accepts a purchase and carries it out in seconds: we poll while there is time and leave the rest to
 * `find`. Only a transaction that we read under our own id is believed.
 */
export async function place(
  parts: OrderParts,
  order: SupplierOrder,
  deadline: Deadline,
  pollMs: number,
): Promise<OrderAnswer> {
  const free = await freeNumber(parts, order, deadline);
  if (typeof free !== 'number') return free;
  // A wallet that is still empty would only use up another id.
  if (free > 1 && (await isWalletTooLow(parts, order, deadline))) return outOfCredit(parts);
  const refusal = await whyNotNow(parts, order, deadline);
  if (refusal) return refusal;

  const id = idOf(order, free);
  const { refillOf } = order;
  const payload = { offerId: offerIdOf(order.plan), transactionId: id, ...(refillOf && { iccid: refillOf.iccid }) };
  const called = await parts.client.post('/esim/purchases', payload, deadline);
  if ('failed' in called) return { outcome: called.sent ? 'unknown' : 'unavailable', ...reasonOf(called) };
  const { status } = called;
  const body = parseObject(called.text);
  if (status === 200 && body.transactionId === id) return outcomeOf(parts, order, free, deadline, pollMs);
  if (status === 200) return { outcome: 'unknown', reason: 'HTTP 200, not our transaction' };
  if (status !== 400 && status !== 404)
    return notDone(status, parts.alarm) ?? { outcome: 'unknown', reason: `HTTP ${status}` };
  // How they answer an id that was used before is not documented, so we look before we take it for a refusal.
  const link = await readLink(parts, order, free, deadline);
  if (link === 'absent' && 'transactionId' in objectOf(body.fields))
    return { outcome: 'unknown', reason: 'the id was refused, but there is no transaction under it' };
  if (link === 'absent') return { outcome: 'refused', reason: `HTTP ${status}: ${codeIn(body.errorCode)}` };
  if (typeof link === 'string') return notBought(parts, link);
  return 'answer' in link ? link.answer : { outcome: 'unknown', ...link };
}

export async function findOrder(
  parts: OrderParts,
  order: SupplierOrder,
  deadline: Deadline,
  now: number,
): Promise<OrderAnswer | Absent> {
  const end = await endOfChain(parts, order, deadline);
  if ('reason' in end) return { outcome: 'unavailable', ...end };
  if ('answer' in end) return end.answer;
  const { orderedAt } = order;
  return orderedAt === null || now >= orderedAt.getTime() + SURE_AFTER_MS
    ? { outcome: 'absent' }
    : { outcome: 'unavailable', reason: 'not found, but it may still appear' };
}

/** The number of the id to buy under, or the answer if there is no need or no way to buy. */
async function freeNumber(parts: OrderParts, order: SupplierOrder, deadline: Deadline): Promise<number | OrderAnswer> {
  // The first try goes out at the time of payment. Nothing can be there yet, so the buyer need not wait for a look-up.
  if (order.orderedAt?.getTime() === order.paidAt.getTime()) return 1;
  const end = await endOfChain(parts, order, deadline);
  if ('reason' in end) return { outcome: 'unavailable', ...end };
  return 'answer' in end ? end.answer : end.free;
}

/** The purchase was accepted. */
async function outcomeOf(
  parts: OrderParts,
  order: SupplierOrder,
  n: number,
  deadline: Deadline,
  pollMs: number,
): Promise<OrderAnswer> {
  for (;;) {
    const link = await readLink(parts, order, n, deadline);
    if (typeof link === 'string' && link !== 'absent') return notBought(parts, link);
    if (typeof link === 'object' && 'answer' in link && link.answer.outcome !== 'pending') return link.answer;
    if (deadline.leftMs() <= pollMs) return { outcome: 'pending', supplierOrder: idOf(order, n) };
    await wait(pollMs);
  }
}

async function isWalletTooLow({ client }: OrderParts, { cost }: SupplierOrder, deadline: Deadline): Promise<boolean> {
  const answer = await readBalance(client, deadline);
  return answer.outcome === 'balance' && answer.balance < cost;
}

/** Under this id nothing was bought for the order. The next try finds the end of the chain. */
const notBought = (parts: OrderParts, link: 'spent' | "another order's"): OrderAnswer =>
  link === 'spent' ? outOfCredit(parts) : { outcome: 'unavailable', reason: 'the id of the transaction was in use' };

function outOfCredit({ alarm }: OrderParts): OrderAnswer {
  alarm(NO_CREDIT);
  return { outcome: 'unavailable', reason: NO_CREDIT };
}

/** A purchase does not name its price, so the offer is read just before. Undefined: it is on sale at the cost we expect, or below. */
async function whyNotNow(
  { client, alarm }: OrderParts,
  { plan, cost }: SupplierOrder,
  deadline: Deadline,
): Promise<OrderAnswer | undefined> {
  const offerId = offerIdOf(plan);
  const called = await client.get(`/esim/offers/${encodeURIComponent(offerId)}`, deadline);
  if ('failed' in called) return { outcome: 'unavailable', ...reasonOf(called) };
  const { status } = called;
  const offer = parseObject(called.text);
  if (status === 404 && offer.errorCode === 'NOT_FOUND') return { outcome: 'refused', reason: 'no such offer' };
  if (status !== 200) return notDone(status, alarm) ?? { outcome: 'unavailable', reason: `HTTP ${status}` };
  if (offer.offerId !== offerId) return { outcome: 'unavailable', reason: 'HTTP 200, not our offer' };
  if (offer.enabled === false) return { outcome: 'refused', reason: 'the offer is disabled' };
  const now = offerMicros(objectOf(offer.cost));
  if (now === null) return { outcome: 'refused', reason: 'the offer has no cost in USD' };
  if (cost === 0n || now <= cost) return undefined;
  // At the new cost we might pay more than the buyer did.
  const reason = 'the price has changed: import the list again';
  alarm(reason);
  return { outcome: 'refused', reason };
}
