import { MINUTE } from '../../../../platform/clock.ts';
import { deadlineIn } from '../deadline.ts';
import { type Json, listOf, numberOf, parseObject, textOf } from '../loose.ts';
import type { ZenditClient } from './client.ts';

const PAGE = 1_000;
const MAX_PAGES = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const LIMIT_MS = 4 * MINUTE;

/** Every offer, disabled ones included, each once. Throws rather than return part of the list: a plan missing from it goes off sale. */
export async function wholeList(client: ZenditClient, signal: AbortSignal): Promise<readonly Json[]> {
  const deadline = deadlineIn(LIMIT_MS);
  const offers = new Map<string, Json>();
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    if (offset >= PAGE * MAX_PAGES) throw new Error(`more than ${MAX_PAGES} pages`);
    const path = `/esim/offers?_limit=${PAGE}&_offset=${offset}`;
    const called = await client.get(path, deadline, { maxBytes: MAX_BYTES, signal });
    if ('failed' in called) throw new Error(called.failed);
    const body = parseObject(called.text);
    const page = listOf(body.list);
    if (called.status !== 200 || !page) throw new Error(`no list: HTTP ${called.status}`);
    total = numberOf(body.total) ?? Number.NaN;
    if (!(page.length >= Math.min(PAGE, total - offset))) throw new Error('a page of the list is incomplete');
    for (const offer of page) offers.set(textOf(offer.offerId) ?? '', offer);
  }
  return [...offers.values()];
}
