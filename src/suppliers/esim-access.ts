import { feedImport } from '../catalog/catalog.ts';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { openAlarm } from './alarm.ts';
import { type Deadline, deadlineIn } from './deadline.ts';
import { readBalance } from './esim-access/balance.ts';
import { type EsimAccessClient, listIn, openClient } from './esim-access/client.ts';
import { findOrder, place } from './esim-access/orders.ts';
import { destinationOf, readPackages } from './esim-access/plans.ts';
import type { EsimAccessCredentials } from './esim-access/signature.ts';
import { readUsage } from './esim-access/usage.ts';
import { type Json, listOf, textOf } from './loose.ts';
import type { Supplier } from './supplier.ts';

export interface EsimAccessSettings extends EsimAccessCredentials {
  readonly url: URL;
}

/** One account at eSIM Access, with its connections. */
export interface EsimAccess {
  supplier(slug: string): Supplier;
  close(): Promise<void>;
}

export interface EsimAccessParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly perSecond?: number;
  readonly pollMs?: number;
}

/** Their limit is 8 a second; we send 7, because requests bunch up in transit. */
const CALLS_PER_SECOND = 7;
/** Each reading takes two calls. */
const USAGE_PER_SECOND = 2;
const POLL_MS = 3 * SECOND;
/** The whole list is one answer of several MB and can take more than half a minute. */
const MAX_LIST_BYTES = 128 * 1024 * 1024;
const LIST_LIMIT_MS = 2 * MINUTE;

export function openEsimAccess({ url, ...credentials }: EsimAccessSettings, parts: EsimAccessParts): EsimAccess {
  const { clock, log, perSecond = CALLS_PER_SECOND, pollMs = POLL_MS } = parts;
  const alarm = openAlarm({ supplier: 'esim-access', message: 'eSIM Access needs the operator', clock, log });
  const client = openClient({ url, credentials, clock, perSecond });

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: false,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const deadline = deadlineIn(LIST_LIMIT_MS);
        const locations = await wholeList(client, '/location/list', {}, 'locationList', deadline, signal);
        const packages = await wholeList(client, '/package/list', { type: 'BASE' }, 'packageList', deadline, signal);
        const { plans, leftOut } = readPackages(packages);
        // An empty list would take everything off sale.
        if (plans.length === 0) throw new Error('the list is empty');
        if (leftOut > 0)
          log.warn({ supplier: slug, packages: leftOut }, 'packages sold by the day or not in USD were left out');
        const titles = locations.map(
          ({ code, name }) => [destinationOf(textOf(code) ?? '', []), textOf(name) ?? ''] as const,
        );
        return feedImport({ slug, title: 'eSIM Access', kind: 'esim_access' }, plans, new Map(titles));
      },
      order: (order, limitMs) => place(client, order, deadlineIn(limitMs), pollMs, alarm),
      find: (order, limitMs) => findOrder(client, order, deadlineIn(limitMs), clock.now()),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: (esim, limitMs) => readUsage(client, esim, deadlineIn(limitMs)),
    }),
    close: () => client.close(),
  };
}

async function wholeList(
  client: EsimAccessClient,
  path: string,
  asked: object,
  name: string,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<readonly Json[]> {
  const answer = await client.post(path, asked, deadline, { maxBytes: MAX_LIST_BYTES, signal });
  if (answer.said === 'no') throw new Error(`no list: code ${answer.code}`);
  if (answer.said !== 'yes') throw new Error(answer.reason);
  const list = listOf(listIn(answer.obj, name));
  if (!list) throw new Error('no list in the answer');
  return list;
}
