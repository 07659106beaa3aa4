import { MINUTE } from '../../../../platform/clock.ts';
import { deadlineIn } from '../deadline.ts';
import { type Json, listOf, numberOf, objectOf, parseObject } from '../loose.ts';
import type { AiraloClient } from './client.ts';

const MAX_BYTES = 128 * 1024 * 1024;
const LIMIT_MS = 2 * MINUTE;
const MAX_PAGES = 1_000;

/**
 * Everything Airalo lists now, refills included. Without a page size it comes as one answer. If it is paged all the same, every page is read, because
 * a plan missing from the list goes off sale. Throws rather than return part of the list.
 */
export async function wholeList(
  client: AiraloClient,
  signal: AbortSignal,
): Promise<{ readonly places: readonly Json[]; readonly discountPct: number }> {
  const deadline = deadlineIn(LIMIT_MS);
  const places: Json[] = [];
  let discountPct = 0;
  for (let page = 1, last = 1; page <= last; page++) {
    if (page > MAX_PAGES) throw new Error(`more than ${MAX_PAGES} pages`);
    const path = page === 1 ? '/packages?include=topup' : `/packages?include=topup&page=${page}`;
    const called = await client.get(path, deadline, { maxBytes: MAX_BYTES, signal });
    if ('failed' in called) throw new Error(called.failed);
    const body = parseObject(called.text);
    const some = listOf(body.data);
    if (called.status !== 200 || !some) throw new Error(`no list: HTTP ${called.status}`);
    places.push(...some);
    last = numberOf(objectOf(body.meta).last_page) ?? 1;
    if (page === 1) discountPct = numberOf(objectOf(body.pricing).discount_percentage) ?? 0;
  }
  return { places, discountPct };
}
