import type { Absent, OrderAnswer, SupplierOrder } from '../../port/port.ts';
import { type Deadline, uniqueReference } from '../connection.ts';
import { parseObject, textOf } from '../loose.ts';
import { type EsimGoClient, listIn, noAnswer } from './client.ts';
import { mark, type OneLine, readKnown, readOneLine } from './order-status.ts';
import type { OrderParts } from './orders.ts';
import { bundleOf } from './plans.ts';
import { type SentOrder, SURE_AFTER_MS, type TheirOrder, windowOf } from './sent-orders.ts';
import { readBundles } from './withdraw.ts';

type Unanswered = ReturnType<typeof noAnswer>;
/** Orders of theirs that may be ours. `isCertain`: no other can be. */
type Candidates = { readonly found: readonly TheirOrder[]; readonly isCertain: boolean } | Unanswered;

/** How often an order is sent if its reply was lost and it was then not listed. */
const MOST_TIMES_SENT = 2;

/** Finds an order's outcome: by their number, by our mark on an eSIM, or by what was ordered at that time. */
export async function findOrder(
  parts: OrderParts,
  order: SupplierOrder,
  deadline: Deadline,
  now: number,
): Promise<OrderAnswer | Absent> {
  const { client, sent } = parts;
  const reference = uniqueReference(order);
  const ours = await sent.find(reference);
  const number = ours?.orderReference ?? order.supplierOrder;
  if (number !== null) return readKnown(client, order, number, deadline);
  const candidates = order.refillOf
    ? await refillsOf(parts, order, order.refillOf.iccid, ours, deadline)
    : ((await markedWith(client, reference, deadline)) ?? (await unclaimed(parts, ours, deadline)));
  if ('outcome' in candidates) return candidates;
  const [only, ...more] = candidates.found;
  if (!only) return ours?.sentAt ? notListed(parts, ours, now) : { outcome: 'absent' };
  if (more.length > 0 || !candidates.isCertain) return ambiguous(parts, reference, candidates.found.length);
  if (ours && !(await sent.claim(reference, only)))
    return { outcome: 'unknown', reason: 'another process found another order' };
  if (!order.refillOf && only.iccid !== null) await mark(client, only.iccid, reference, deadline);
  return readKnown(client, order, only.orderReference, deadline);
}

/** Several of their orders could be this one, or one that another address placed. Only a person can tell. */
function ambiguous({ alarm }: OrderParts, reference: string, count: number): OrderAnswer {
  const orders = count === 1 ? 'an order' : `${count} orders`;
  const reason = `${reference} may be ${orders} at eSIM Go that nobody has marked: it waits for the operator`;
  alarm(reason);
  return { outcome: 'unknown', reason };
}

/**
 * Absent after two look-ups, the second when it must have been listed. An order that was lost twice in this way waits for a person.
 */
async function notListed({ sent, alarm }: OrderParts, ours: SentOrder, now: number): Promise<OrderAnswer | Absent> {
  const { reference, sentAt, timesSent } = ours;
  const looks = await sent.foundNothing(reference);
  if (!sentAt || looks < 2 || now < sentAt.getTime() + SURE_AFTER_MS)
    return { outcome: 'unknown', reason: 'not listed, but it may still appear' };
  if (timesSent >= MOST_TIMES_SENT) {
    const reason = `${reference} was sent twice, but eSIM Go does not list it: it waits for the operator`;
    alarm(reason);
    return { outcome: 'unknown', reason };
  }
  return (await sent.void(reference, sentAt))
    ? { outcome: 'absent' }
    : { outcome: 'unknown', reason: 'another process is looking at it' };
}

/** The eSIM that carries our reference. Undefined: none does. A person can put it there to say which order is ours. */
async function markedWith(
  client: EsimGoClient,
  reference: string,
  deadline: Deadline,
): Promise<Candidates | undefined> {
  const query = new URLSearchParams({ filterBy: 'customerRef', filter: reference, page: '1', perPage: '100' });
  const called = await client.get(`/esims?${query}`, deadline);
  if ('failed' in called || called.status !== 200) return noAnswer(called);
  const listed = listIn(called.text, 'esims');
  if (!listed) return { outcome: 'unavailable', reason: 'no eSIMs in the answer' };
  // The search is for texts that contain it.
  const iccids = listed
    .filter((one) => textOf(one.customerRef) === reference)
    .flatMap(({ iccid }) => textOf(iccid) ?? []);
  const [iccid] = iccids;
  if (iccid === undefined) return undefined;
  const read = await readBundles(client, iccid, deadline);
  if ('called' in read) return noAnswer(read.called);
  const first = read.assignments.toSorted((a, b) => Number(a.assignedAt) - Number(b.assignedAt))[0];
  if (!first?.orderReference) return { outcome: 'unavailable', reason: 'the eSIM does not name its order' };
  const found = [{ orderReference: first.orderReference, iccid, sourceIp: null }];
  return { found, isCertain: iccids.length === 1 };
}

/** Orders of this bundle from the time it was sent that nobody has claimed. */
async function unclaimed(
  { client, sent }: OrderParts,
  ours: SentOrder | undefined,
  deadline: Deadline,
): Promise<Candidates> {
  if (!ours?.sentAt) return { found: [], isCertain: true };
  const listed = await ordersWithin(client, windowOf(ours.sentAt), deadline);
  if ('outcome' in listed) return listed;
  const alike = listed.orders.filter(({ bundle }) => bundle === ours.bundle);
  const taken = await sent.others(
    ours.reference,
    alike.map(({ orderReference }) => orderReference),
    alike.flatMap(({ iccid }) => iccid ?? []),
  );
  const found: TheirOrder[] = [];
  for (const one of alike) {
    if (taken.numbers.has(one.orderReference) || taken.iccids.has(one.iccid ?? '')) continue;
    const marked = one.iccid === null ? null : await markOf(client, one.iccid, deadline);
    if (typeof marked === 'object' && marked !== null) return marked;
    if (marked === null || marked === ours.reference) found.push(one);
  }
  const strangers = await sent.foreign(found.flatMap(({ sourceIp }) => sourceIp ?? []));
  return { found, isCertain: strangers.size === 0 };
}

/** The mark on an eSIM; null: it has none. */
async function markOf(client: EsimGoClient, iccid: string, deadline: Deadline): Promise<string | null | Unanswered> {
  const called = await client.get(`/esims/${encodeURIComponent(iccid)}`, deadline);
  if ('failed' in called || called.status !== 200) return noAnswer(called);
  return textOf(parseObject(called.text).customerRef);
}

/** Bundles of this name that were put onto the eSIM since the refill was sent, and by no other order of ours. */
async function refillsOf(
  { client, sent }: OrderParts,
  order: SupplierOrder,
  iccid: string,
  ours: SentOrder | undefined,
  deadline: Deadline,
): Promise<Candidates> {
  const read = await readBundles(client, iccid, deadline);
  if ('called' in read) return noAnswer(read.called);
  if (!ours?.sentAt) return { found: [], isCertain: true };
  const { from, to } = windowOf(ours.sentAt);
  const recent = read.assignments.flatMap(({ bundle, assignedAt, orderReference }) =>
    bundle === bundleOf(order.plan) && orderReference !== null && isWithin(assignedAt, from, to) ? orderReference : [],
  );
  const { numbers } = await sent.others(ours.reference, recent, []);
  const found = [...new Set(recent)]
    .filter((number) => !numbers.has(number))
    .map((orderReference) => ({ orderReference, iccid, sourceIp: null }));
  return { found, isCertain: true };
}

/** One without a time may be ours. */
const isWithin = (at: Date | null, from: Date, to: Date): boolean => at === null || (at >= from && at <= to);

const PER_PAGE = 100;
const MAX_PAGES = 20;
const MAX_BYTES = 4 * 1024 * 1024;

/** All orders of one bundle that were created in this time. All or none: a missing one could be ours. */
async function ordersWithin(
  client: EsimGoClient,
  { from, to }: { from: Date; to: Date },
  deadline: Deadline,
): Promise<{ readonly orders: readonly OneLine[] } | ReturnType<typeof noAnswer>> {
  const orders = new Map<string, OneLine>();
  const seen = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({ includeIccids: 'true', page: String(page), limit: String(PER_PAGE) });
    query.append('createdAt', `gte:${from.toISOString()}`);
    query.append('createdAt', `lte:${to.toISOString()}`);
    const called = await client.get(`/orders?${query}`, deadline, { maxBytes: MAX_BYTES });
    if ('failed' in called || called.status !== 200) return noAnswer(called);
    const listed = listIn(called.text, 'orders');
    if (!listed) return { outcome: 'unavailable', reason: 'no orders in the answer' };
    const before = seen.size;
    for (const order of listed) {
      seen.add(textOf(order.orderReference) ?? '');
      const line = readOneLine(order);
      if (line && (line.createdAt === null || (line.createdAt >= from && line.createdAt <= to)))
        orders.set(line.orderReference, line);
    }
    // A short page does not end the list: their pages may be shorter than we ask for. One that brings nothing new does.
    if (seen.size === before) return { orders: [...orders.values()] };
  }
  return { outcome: 'unavailable', reason: 'too many orders in the list' };
}
