import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../../../platform/clock.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, numberOf, parseObject } from '../loose.ts';
import { type EsimGoClient, listIn } from './client.ts';
import { noAnswer } from './refusals.ts';

/** More than this was refused to some accounts. */
const PER_PAGE = 50;
const MAX_PAGES = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;
const TOO_MANY = 429;

/** The whole catalogue, page by page. Throws rather than return part of it. */
export async function wholeCatalogue(
  client: EsimGoClient,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<readonly Json[]> {
  const bundles: Json[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const text = await pageOf(client, page, deadline, signal);
    const listed = listIn(text, 'bundles');
    if (!listed) throw new Error('no list in the answer');
    bundles.push(...listed);
    const pages = numberOf(parseObject(text).pageCount);
    if (pages === null ? listed.length < PER_PAGE : page >= pages) return bundles;
  }
  throw new Error('the list does not end');
}

async function pageOf(client: EsimGoClient, page: number, deadline: Deadline, signal: AbortSignal): Promise<string> {
  for (;;) {
    const path = `/catalogue?page=${page}&perPage=${PER_PAGE}`;
    const called = await client.get(path, deadline, { maxBytes: MAX_BYTES, signal });
    if ('status' in called && called.status === 200) return called.text;
    // The limit is per address and second, and shared with our other processes.
    if (!('status' in called) || called.status !== TOO_MANY || deadline.leftMs() <= SECOND)
      throw new Error(noAnswer(called).reason);
    await wait(SECOND, undefined, { signal });
  }
}
