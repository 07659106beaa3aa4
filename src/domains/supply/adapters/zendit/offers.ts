import type { OrderAnswer, SupplierOrder } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { objectOf, parseObject } from '../loose.ts';
import { reasonOf } from '../reason.ts';
import type { OrderParts } from './chain.ts';
import { offerMicros } from './money.ts';
import { offerIdOf } from './refill-code.ts';
import { notDone } from './refusals.ts';

/** A purchase does not name its price, so the offer is read just before. Undefined: it is on sale at the cost we expect, or below. */
export async function whyNotNow(
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
