import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE } from '../../../../platform/clock.ts';
import type { Absent, OrderAnswer, SupplierOrder } from '../../port/port.ts';
import { type Deadline, uniqueReference } from '../connection.ts';
import { type Json, objectOf, textOf } from '../loose.ts';
import { type EsimAccessClient, readRefusal, unitsOf, whyNot } from './client.ts';
import { orderedDays } from './plans.ts';
import {
  chargedFor,
  MAX_PAGE,
  NOT_READY,
  type Profiles,
  queryProfiles,
  readProfile,
  UNKNOWN_ORDER,
} from './profiles.ts';

/** Allows for clock skew on both sides of the period in which an order can have been placed. */
const AROUND_MS = 10 * MINUTE;
const MAX_PAGES = 5;

/**
 * Orders with our reference as the transaction id. Sending the same id again returns the same order, so a lost reply is harmless.
 * A profile takes up to half a minute: we poll every `pollMs` while there is time and leave the rest to `find`.
 */
export async function place(
  client: EsimAccessClient,
  order: SupplierOrder,
  deadline: Deadline,
  pollMs: number,
  alarm: (reason: string) => void,
): Promise<OrderAnswer> {
  const transactionId = uniqueReference(order);
  // If we name the price we expect, eSIM Access rejects the order at any other.
  const amount = unitsOf(order.cost);
  const item = itemOf(order.plan, amount);
  const payload = { transactionId, ...(amount === undefined ? {} : { amount }), packageInfoList: [item] };
  const answer = await client.post('/esim/order', payload, deadline);
  if (answer.said === 'nothing') return { outcome: answer.sent ? 'unknown' : 'unavailable', ...whyNot(answer) };
  if (answer.said === 'nonsense') return { outcome: 'unknown', reason: answer.reason };
  if (answer.said === 'no') return readRefusal(answer.code, alarm);
  const orderNo = textOf(objectOf(answer.obj).orderNo);
  if (orderNo === null) return { outcome: 'unknown', reason: 'no order number' };
  for (;;) {
    const known = readOrdered(await queryProfiles(client, { orderNo }, deadline), orderNo, transactionId);
    if (known.outcome !== 'pending' && known.outcome !== 'unavailable') return known;
    if (deadline.leftMs() <= pollMs) return { outcome: 'pending', supplierOrder: orderNo };
    await wait(pollMs);
  }
}

/** By the day, the total alone is named: whether `price` is then a day's or that of all days is not documented. */
function itemOf(plan: string, price: number | undefined): object {
  const byTheDay = orderedDays(plan);
  if (byTheDay) return { packageCode: byTheDay.packageCode, count: 1, periodNum: byTheDay.days };
  return { packageCode: plan, count: 1, ...(price === undefined ? {} : { price }) };
}

export async function findOrder(
  client: EsimAccessClient,
  order: SupplierOrder,
  deadline: Deadline,
  now: number,
): Promise<OrderAnswer | Absent> {
  const transactionId = uniqueReference(order);
  const { supplierOrder } = order;
  if (supplierOrder !== null) {
    const profiles = await queryProfiles(client, { orderNo: supplierOrder }, deadline);
    const known = readOrdered(profiles, supplierOrder, transactionId);
    // If the number belongs to another order, it came with another order's answer. Ours is still to be found.
    if (known.outcome !== 'unknown') return known;
  }
  return findByTime(client, order, transactionId, deadline, now);
}

/** eSIM Access cannot search by transaction id, but every profile names its own. */
async function findByTime(
  client: EsimAccessClient,
  order: SupplierOrder,
  transactionId: string,
  deadline: Deadline,
  now: number,
): Promise<OrderAnswer | Absent> {
  const startTime = timeText(order.paidAt.getTime() - AROUND_MS);
  const which = { startTime, endTime: timeText(now + AROUND_MS) };
  for (let pageNum = 1; pageNum <= MAX_PAGES; pageNum++) {
    const page = await queryProfiles(client, which, deadline, { pageNum, pageSize: MAX_PAGE });
    if ('reason' in page) return { outcome: 'unavailable', ...page };
    if ('code' in page && page.code !== NOT_READY) return { outcome: 'unavailable', reason: `code ${page.code}` };
    if ('code' in page) break;
    const mine = page.list.find((profile) => profile.transactionId === transactionId);
    if (mine) return readOne(mine, textOf(mine.orderNo) ?? '');
    if (pageNum * MAX_PAGE >= page.total) break;
  }
  // The order may exist without a profile. Ordering again is safe: the same transaction id returns the same order.
  return { outcome: 'absent' };
}

/** We have the order's number, so it was accepted. `unknown`: the answer is about another order. */
function readOrdered(profiles: Profiles, orderNo: string, transactionId: string): OrderAnswer {
  if ('reason' in profiles) return { outcome: 'unavailable', ...profiles };
  if ('code' in profiles) {
    const isWaiting = profiles.code === NOT_READY || profiles.code === UNKNOWN_ORDER;
    return isWaiting
      ? { outcome: 'pending', supplierOrder: orderNo }
      : { outcome: 'unavailable', reason: profiles.code };
  }
  const [profile] = profiles.list;
  if (!profile) return { outcome: 'pending', supplierOrder: orderNo };
  const isOurs = profile.orderNo === orderNo && (profile.transactionId ?? transactionId) === transactionId;
  return isOurs ? readOne(profile, orderNo) : { outcome: 'unknown', reason: 'a profile of another order' };
}

/** Returned before it was used. */
const OVER = ['CANCEL', 'REVOKED'];

function readOne(profile: Json, orderNo: string): OrderAnswer {
  const status = textOf(profile.esimStatus) ?? '';
  if (OVER.includes(status)) return { outcome: 'refused', reason: `the profile is ${status}` };
  const esim = readProfile(profile);
  if (!esim) return { outcome: 'pending', supplierOrder: orderNo };
  const charged = chargedFor(profile);
  return { outcome: 'delivered', supplierOrder: orderNo, esim, ...(charged === null ? {} : { charged }) };
}

const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
