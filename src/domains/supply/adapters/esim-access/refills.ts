import type { Absent, OrderAnswer, RefilledEsim, SupplierOrder } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { listOf, objectOf, textOf } from '../loose.ts';
import { uniqueReference } from '../unique-reference.ts';
import { type EsimAccessClient, whyNot } from './client.ts';
import { profileOf } from './profiles.ts';
import { readRefusal } from './refusals.ts';
import { unitsOf } from './units.ts';

/** An order that adds its plan to an eSIM. */
export type Refill = SupplierOrder & { readonly refillOf: RefilledEsim };

export const isRefill = (order: SupplierOrder): order is Refill => order.refillOf !== null;

/**
 * Adds a plan to an eSIM, with our reference as the transaction id. Sending the same id again returns the same refill, so a lost
 * reply is harmless. The eSIM is named by its profile's number, because ICCIDs are reused; it takes a call to learn that.
 */
export async function placeRefill(
  client: EsimAccessClient,
  order: Refill,
  deadline: Deadline,
  alarm: (reason: string) => void,
): Promise<OrderAnswer> {
  const found = await profileOf(client, order.refillOf, deadline);
  if ('reason' in found) return { outcome: 'unavailable', ...found };
  const esimTranNo = textOf(found.profile?.esimTranNo);
  if (esimTranNo === null) return { outcome: 'refused', reason: 'no such eSIM' };
  const transactionId = uniqueReference(order);
  // At any other price than this one the refill is rejected.
  const amount = unitsOf(order.cost);
  const payload = { esimTranNo, packageCode: order.plan, transactionId, ...(amount === undefined ? {} : { amount }) };
  const answer = await client.post('/esim/topup', payload, deadline);
  if (answer.said === 'nothing') return { outcome: answer.sent ? 'unknown' : 'unavailable', ...whyNot(answer) };
  if (answer.said === 'nonsense') return { outcome: 'unknown', reason: answer.reason };
  if (answer.said === 'no') return readRefusal(answer.code, alarm);
  // An answer with another id belongs to another call, even if it came on our connection.
  if (objectOf(answer.obj).transactionId !== transactionId)
    return { outcome: 'unknown', reason: 'HTTP 200, not our transaction' };
  return { outcome: 'refilled', supplierOrder: transactionId };
}

/** A profile names the transaction of each of its packages. */
export async function findRefill(
  client: EsimAccessClient,
  order: Refill,
  deadline: Deadline,
): Promise<OrderAnswer | Absent> {
  const found = await profileOf(client, order.refillOf, deadline);
  if ('reason' in found) return { outcome: 'unavailable', ...found };
  const transactionId = uniqueReference(order);
  const isThere = (listOf(found.profile?.packageList) ?? []).some((one) => one.transactionId === transactionId);
  // It may still be on its way to the profile. Ordering again is safe: the same transaction id returns the same refill.
  return isThere ? { outcome: 'refilled', supplierOrder: transactionId } : { outcome: 'absent' };
}
