import type { Deadline } from '../deadline.ts';
import { textOf } from '../loose.ts';
import { type EsimGoClient, listIn } from './client.ts';
import { noAnswer } from './refusals.ts';
import { type OneLine, readOneLine } from './their-order.ts';

const PER_PAGE = 100;
const MAX_PAGES = 20;
const MAX_BYTES = 4 * 1024 * 1024;

/** All orders of one bundle that were created in this time. All or none: a missing one could be ours. */
export async function ordersWithin(
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
