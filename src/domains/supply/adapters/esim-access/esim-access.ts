import { toMicros } from '../../../../platform/amounts/cents.ts';
import { type Clock, MINUTE, SECOND } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import { openAlarm } from '../../health/alarm.ts';
import type { BalanceAnswer, Supplier } from '../../port/port.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { type Json, listOf, numberOf, objectOf, textOf, wholeNumber } from '../loose.ts';
import { type EsimAccessClient, listIn, openClient } from './client.ts';
import { findOrder, place } from './orders.ts';
import { destinationOf, readPackages } from './plans.ts';
import { readRefillLists } from './refill-lists.ts';
import { findRefill, isRefill, placeRefill } from './refills.ts';
import type { EsimAccessCredentials } from './signature.ts';
import { MICROS_PER_UNIT } from './units.ts';
import { readUsage } from './usage.ts';
import { withdraw } from './withdraw.ts';

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
  /** The lengths in days for which packages sold by the day are imported. */
  readonly dayPlanDays?: readonly number[];
  /** As the log names the account. */
  readonly slug?: string;
}

/** Their limit is 8 a second; we send 7, because requests bunch up in transit. */
const CALLS_PER_SECOND = 7;
/** Each reading takes two calls. */
const USAGE_PER_SECOND = 2;
const POLL_MS = 3 * SECOND;
/** The list of packages can take more than half a minute. */
const LIST_LIMIT_MS = 2 * MINUTE;
/** A profile takes up to half a minute, and only profiles are listed. */
const LISTED_AFTER_MS = 15 * MINUTE;
/** The lists of refills take hundreds of calls. They use only this part of our rate, so that orders get the rest. */
const REFILL_LISTS_SHARE = 0.4;

export function openEsimAccess({ url, ...credentials }: EsimAccessSettings, parts: EsimAccessParts): EsimAccess {
  const { clock, log, perSecond = CALLS_PER_SECOND, pollMs = POLL_MS, dayPlanDays = [] } = parts;
  const { slug: name = 'esim-access' } = parts;
  const alarm = openAlarm({ supplier: name, message: 'eSIM Access needs the operator', clock, log });
  const client = openClient({ url, credentials, clock, perSecond });

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: true,
      listsLateMs: LISTED_AFTER_MS,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const deadline = deadlineIn(LIST_LIMIT_MS);
        const locations = await wholeList(client, '/location/list', {}, 'locationList', deadline, signal);
        const packages = await wholeList(client, '/package/list', { type: 'BASE' }, 'packageList', deadline, signal);
        const titles = new Map(
          locations.map(({ code, name }) => [destinationOf(textOf(code) ?? '', []), textOf(name) ?? ''] as const),
        );
        const { plans, leftOut } = readPackages(packages, titles, dayPlanDays);
        // An empty list would take everything off sale.
        if (plans.length === 0) throw new Error('the list is empty');
        const refills = await readRefillLists(client, packages, Math.ceil(perSecond * REFILL_LISTS_SHARE), signal);
        if (refills.unanswered > 0)
          log.warn(
            { supplier: slug, lists: refills.unanswered },
            'some lists of refills could not be read: refills missing from this import stay as they are',
          );
        const entry = { slug, title: 'eSIM Access', kind: 'esim_access' };
        const whole = await feedImport(entry, [...plans, ...refills.plans], titles, leftOut);
        return { ...whole, keepRefills: refills.unanswered > 0 };
      },
      order: (order, limitMs) =>
        isRefill(order)
          ? placeRefill(client, order, deadlineIn(limitMs), alarm)
          : place(client, order, deadlineIn(limitMs), pollMs, alarm),
      find: (order, limitMs) =>
        isRefill(order)
          ? findRefill(client, order, deadlineIn(limitMs))
          : findOrder(client, order, deadlineIn(limitMs), clock.now()),
      withdraw: (esim, limitMs) => withdraw(client, esim, deadlineIn(limitMs), pollMs),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: (esim, limitMs) => readUsage(client, esim, deadlineIn(limitMs)),
    }),
    close: () => client.close(),
  };
}

async function readBalance(client: EsimAccessClient, deadline: Deadline): Promise<BalanceAnswer> {
  const answer = await client.post('/balance/query', {}, deadline);
  if (answer.said === 'no') return { outcome: 'unavailable', reason: `code ${answer.code}` };
  if (answer.said !== 'yes') return { outcome: 'unavailable', reason: answer.reason };
  const units = numberOf(objectOf(answer.obj).balance);
  if (units === null) return { outcome: 'unavailable', reason: 'no balance in the answer' };
  return { outcome: 'balance', balance: toMicros(wholeNumber(units) * MICROS_PER_UNIT) };
}

/** The list of all packages is one answer of several MB. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A list that comes as one answer. Throws rather than return part of it. */
async function wholeList(
  client: EsimAccessClient,
  path: string,
  body: object,
  name: string,
  deadline: Deadline,
  signal: AbortSignal,
): Promise<readonly Json[]> {
  const answer = await client.post(path, body, deadline, { maxBytes: MAX_BYTES, signal });
  if (answer.said === 'no') throw new Error(`no list: code ${answer.code}`);
  if (answer.said !== 'yes') throw new Error(answer.reason);
  const list = listOf(listIn(answer.obj, name));
  if (!list) throw new Error('no list in the answer');
  return list;
}
