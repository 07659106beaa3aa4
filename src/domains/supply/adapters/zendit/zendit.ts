import { type Clock, MINUTE, SECOND } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import { openAlarm } from '../../health/alarm.ts';
import type { Supplier } from '../../port/port.ts';
import { deadlineIn } from '../deadline.ts';
import { type Json, listOf, numberOf, parseObject, textOf } from '../loose.ts';
import { readBalance } from './balance.ts';
import { openClient, type ZenditClient } from './client.ts';
import { findOrder, place } from './orders.ts';
import { readOffers } from './plans.ts';
import type { MatchingIdField } from './transactions.ts';
import { readUsage } from './usage.ts';
import { withdraw } from './withdraw.ts';

export interface ZenditSettings {
  readonly apiKey: string;
  readonly url: URL;
  readonly matchingIdField: MatchingIdField;
}

/** One account at Zendit, with its connections. */
export interface Zendit {
  supplier(slug: string): Supplier;
  close(): Promise<void>;
}

export interface ZenditParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pollMs?: number;
  /** Calls of this process; undefined: any number. */
  readonly perSecond?: number;
  /** As the log names the account. */
  readonly slug?: string;
}

/** They publish no limit and ask to poll at most once a second. */
const POLL_MS = 1 * SECOND;
const USAGE_PER_SECOND = 2;

export function openZendit(settings: ZenditSettings, parts: ZenditParts): Zendit {
  const { clock, log, pollMs = POLL_MS, perSecond, slug: name = 'zendit' } = parts;
  const alarm = openAlarm({ supplier: name, message: 'Zendit needs the operator', clock, log });
  const client = openClient({ ...settings, perSecond });
  const ordering = { client, matchingIdField: settings.matchingIdField, alarm };

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const { plans, titles, leftOut } = readOffers(await wholeList(client, signal));
        // An empty list would take everything off sale.
        if (plans.length === 0) throw new Error('the list is empty');
        return feedImport({ slug, title: 'Zendit', kind: 'zendit' }, plans, titles, leftOut);
      },
      order: (order, limitMs) => place(ordering, order, deadlineIn(limitMs), pollMs),
      find: (order, limitMs) => findOrder(ordering, order, deadlineIn(limitMs), clock.now()),
      withdraw: (esim, limitMs) => withdraw(client, esim, deadlineIn(limitMs), pollMs),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: (esim, limitMs) => readUsage(client, esim, deadlineIn(limitMs), clock.now()),
    }),
    close: () => client.close(),
  };
}

const PAGE = 1_000;
const MAX_PAGES = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const LIMIT_MS = 4 * MINUTE;

/** Every offer, disabled ones included, each once. Throws rather than return part of the list: a plan missing from it goes off sale. */
async function wholeList(client: ZenditClient, signal: AbortSignal): Promise<readonly Json[]> {
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
