import { type Clock, MINUTE, parseTimestamp, SECOND } from '../../../../platform/clock.ts';
import type { OrderAnswer, SupplierOrder } from '../../port/port.ts';
import { type Deadline, type Refusal, uniqueReference } from '../connection.ts';
import { type Json, microsOf, parseObject, textOf } from '../loose.ts';
import { type EsimGoClient, noAnswer, readRefusal, readTrial } from './client.ts';
import { mark, readDelivery, readKnown, readOneLine } from './order-status.ts';
import { bundleOf } from './plans.ts';
import type { SentOrders } from './sent-orders.ts';

export interface OrderParts {
  readonly client: EsimGoClient;
  readonly sent: SentOrders;
  readonly clock: Clock;
  readonly alarm: (reason: string) => void;
  /** An order is not sent with less time left: if its reply came late, it would be uncertain for a quarter of an hour. */
  readonly leastMs?: number;
}

const LEAST_MS = 2 * SECOND;
/** A lost order is searched for by its time, so their clock and ours must agree. */
const CLOCKS_AGREE_MS = 1 * MINUTE;
const USD = 'USD';

const notSent = {
  busy: { outcome: 'unavailable', reason: 'another order is under way' },
  held: { outcome: 'unavailable', reason: 'an earlier order for the same bundle is not certain yet' },
  uncertain: { outcome: 'unknown', reason: 'it may have been ordered before' },
} as const;

/**
 * Orders one bundle. The trial (`validate`) runs eSIM Go's checks without ordering, so that what it would refuse never becomes
 * uncertain. The order itself is sent once and never repeated here; sent-orders.ts says why that is enough.
 */
export async function place(parts: OrderParts, order: SupplierOrder, deadline: Deadline): Promise<OrderAnswer> {
  const { client, sent, alarm, leastMs = LEAST_MS } = parts;
  // An installation whose purchases wait for less than that orders, too.
  const least = Math.min(leastMs, deadline.leftMs() / 3);
  const payload = payloadOf(order);
  const refusal = (await unfit(parts, order, deadline)) ?? (await tried(parts, order, payload, deadline));
  if (refusal) return refusal;
  const reference = uniqueReference(order);
  const iccid = order.refillOf?.iccid ?? null;
  const turn = await sent.begin({ reference, bundle: bundleOf(order.plan), iccid }, deadline);
  if (turn === 'known') return known(parts, order, reference, deadline);
  if (!(turn instanceof Date)) return notSent[turn];
  if (deadline.leftMs() < least) {
    await sent.void(reference, turn);
    return { outcome: 'unavailable', reason: 'too little time left to order' };
  }
  const called = await client.postAlone('/orders', { type: 'transaction', ...payload }, deadline);
  if ('failed' in called || called.status !== 200) {
    const answer = readRefusal(called, alarm);
    if (answer.outcome === 'unknown') await sent.lost(reference);
    else await sent.void(reference, turn);
    return answer;
  }
  const theirs = parseObject(called.text);
  const line = readOneLine(theirs);
  if (line?.bundle !== bundleOf(order.plan) || (iccid !== null && line.iccid !== null && line.iccid !== iccid)) {
    await sent.lost(reference);
    return { outcome: 'unknown', reason: 'HTTP 200, not our order' };
  }
  // An answer with the number of another order belongs to that one, even if it came on our connection.
  if (!(await sent.claim(reference, line))) {
    await sent.lost(reference);
    return { outcome: 'unknown', reason: 'HTTP 200 with the number of another order' };
  }
  if (iccid === null && line.iccid !== null) await mark(client, line.iccid, reference, deadline);
  return readDelivery(client, order, theirs, line, deadline);
}

function payloadOf({ plan, refillOf }: SupplierOrder) {
  const line = { type: 'bundle', quantity: 1, item: bundleOf(plan), allowReassign: false };
  return { assign: true, order: [refillOf ? { ...line, iccids: [refillOf.iccid] } : line] };
}

/** Why a refill cannot go onto its eSIM; undefined: it can, or it is not a refill. */
async function unfit(
  { client, sent, alarm }: OrderParts,
  { plan, refillOf }: SupplierOrder,
  deadline: Deadline,
): Promise<Refusal | undefined> {
  if (!refillOf) return undefined;
  if (await sent.isWithdrawn(refillOf.iccid)) return { outcome: 'refused', reason: 'the eSIM was withdrawn' };
  const path = `/esims/${encodeURIComponent(refillOf.iccid)}/compatible/${encodeURIComponent(bundleOf(plan))}`;
  const called = await client.get(path, deadline);
  if ('failed' in called || called.status !== 200) return readTrial(called, alarm);
  // Older versions answer with a message only; then the trial decides.
  return parseObject(called.text).compatible === false
    ? { outcome: 'refused', reason: 'the bundle does not fit the eSIM' }
    : undefined;
}

/** Why eSIM Go would not take the order; undefined: it would. */
async function tried(
  { client, alarm, clock }: OrderParts,
  order: SupplierOrder,
  payload: object,
  deadline: Deadline,
): Promise<Refusal | undefined> {
  const called = await client.post('/orders', { type: 'validate', ...payload }, deadline);
  if ('failed' in called || called.status !== 200) return readTrial(called, alarm);
  const answer = parseObject(called.text);
  if (answer.valid === false) return { outcome: 'refused', reason: 'the order is not valid' };
  if (answer.valid !== true) return { outcome: 'unavailable', reason: 'HTTP 200, not the answer to a trial' };
  const theirNow = parseTimestamp(textOf(answer.createdDate) ?? '')?.getTime() ?? clock.now();
  if (Math.abs(theirNow - clock.now()) > CLOCKS_AGREE_MS) {
    const reason = 'our clock differs too much from that of eSIM Go';
    alarm(reason);
    return { outcome: 'unavailable', reason };
  }
  return tooDear(order, answer, alarm);
}

/** The cost we calculated with is gone, and the buyer has paid by it. */
function tooDear({ cost }: SupplierOrder, trial: Json, alarm: (reason: string) => void): Refusal | undefined {
  const currency = textOf(trial.currency) ?? USD;
  if (currency !== USD) {
    const reason = 'the account is not in USD';
    alarm(reason);
    return { outcome: 'unavailable', reason };
  }
  const total = microsOf(trial.total);
  if (cost <= 0n || total === null || total <= cost) return undefined;
  const reason = 'the price has risen: import the list again';
  alarm(reason);
  return { outcome: 'refused', reason };
}

/** It was ordered before, and eSIM Go's number for it is recorded. */
async function known({ client, sent }: OrderParts, order: SupplierOrder, reference: string, deadline: Deadline) {
  const number = (await sent.find(reference))?.orderReference;
  return number
    ? readKnown(client, order, number, deadline)
    : noAnswer({ failed: 'its row is gone', sent: false, answered: true });
}
