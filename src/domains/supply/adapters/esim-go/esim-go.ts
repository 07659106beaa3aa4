import { type Clock, MINUTE, SECOND } from '../../../../platform/clock.ts';
import type { Db } from '../../../../platform/db/database.ts';
import type { Log } from '../../../../platform/log.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import { openAlarm } from '../../health/alarm.ts';
import type { BalanceAnswer, Supplier } from '../../port/port.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { listOf, numberOf, parseObject, signedMicros, textOf } from '../loose.ts';
import { type EsimGoClient, openClient } from './client.ts';
import { findOrder } from './find.ts';
import { wholeCatalogue } from './list.ts';
import { place } from './orders.ts';
import { readCatalogue } from './plans.ts';
import { noAnswer } from './refusals.ts';
import { openSentOrders } from './sent-orders.ts';
import { readUsage } from './usage.ts';
import { withdraw } from './withdraw.ts';

export interface EsimGoSettings {
  readonly key: string;
  readonly url: URL;
}

/** One account at eSIM Go, with its connections. */
export interface EsimGo {
  supplier(slug: string): Supplier;
  close(): Promise<void>;
}

export interface EsimGoParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly perSecond?: number;
  /** Between the end of an order and the start of the next. */
  readonly pauseMs?: number;
  /** An order is not sent with less time left. */
  readonly leastMs?: number;
  /** As the log names the account. */
  readonly slug?: string;
}

/** Their limit is 10 a second; we send 8, because requests bunch up in transit and some count for more than one. */
const CALLS_PER_SECOND = 8;
const USAGE_PER_SECOND = 2;
/** What eSIM Go asks for. */
const PAUSE_MS = 3 * SECOND;
const LIST_LIMIT_MS = 6 * MINUTE;

export function openEsimGo({ key, url }: EsimGoSettings, parts: EsimGoParts): EsimGo {
  const { db, clock, log, perSecond = CALLS_PER_SECOND, pauseMs = PAUSE_MS, leastMs } = parts;
  const { slug: name = 'esim-go' } = parts;
  const alarm = openAlarm({ supplier: name, message: 'eSIM Go needs the operator', clock, log });
  const client = openClient({ url, key, perSecond });
  const sent = openSentOrders(db, { clock, pauseMs });
  const ordering = { client, sent, clock, alarm, ...(leastMs === undefined ? {} : { leastMs }) };

  /** The record of an order is in the database, which may be away. */
  const otherwise =
    <A>(answer: A) =>
    (err: unknown): A => {
      log.error({ err, supplier: name }, 'a call about an eSIM Go order was not finished');
      return answer;
    };
  const reason = 'our own records could not be read or written';

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const deadline = deadlineIn(LIST_LIMIT_MS);
        const currency = await currencyOf(client, deadline, signal);
        if (currency !== 'USD') throw new Error(`the account is in ${currency.slice(0, 10)}, not in USD`);
        const { plans, titles, leftOut } = readCatalogue(await wholeCatalogue(client, deadline, signal));
        // An empty list would take everything off sale.
        if (plans.length === 0) throw new Error('the list is empty');
        if (leftOut > 0) log.warn({ supplier: slug, bundles: leftOut }, 'bundles without a fixed price were left out');
        return feedImport({ slug, title: 'eSIM Go', kind: 'esim_go' }, plans, titles);
      },
      order: (order, limitMs) =>
        place(ordering, order, deadlineIn(limitMs)).catch(otherwise({ outcome: 'unknown', reason } as const)),
      find: (order, limitMs) =>
        findOrder(ordering, order, deadlineIn(limitMs), clock.now()).catch(
          otherwise({ outcome: 'unavailable', reason } as const),
        ),
      withdraw: ({ iccid }, limitMs) =>
        withdraw(ordering, iccid, deadlineIn(limitMs)).catch(otherwise({ outcome: 'unavailable', reason } as const)),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: ({ iccid }, limitMs) =>
        readUsage(client, sent, iccid, deadlineIn(limitMs)).catch(
          otherwise({ outcome: 'unavailable', reason } as const),
        ),
    }),
    close: () => client.close(),
  };
}

/** The account, or why it could not be read. Its answer contains the key, so nothing else of it leaves this file. */
async function readOrganisation(client: EsimGoClient, deadline: Deadline, signal?: AbortSignal) {
  const called = await client.get('/organisation', deadline, signal ? { signal } : {});
  if ('failed' in called || called.status !== 200) return noAnswer(called);
  const answer = parseObject(called.text);
  const [organisation = answer] = listOf(answer.organisations) ?? [];
  return { currency: textOf(organisation.currency), balance: numberOf(organisation.balance) };
}

/** The currency of every price: prices do not name one. Throws when it cannot be read. */
async function currencyOf(client: EsimGoClient, deadline: Deadline, signal: AbortSignal): Promise<string> {
  const organisation = await readOrganisation(client, deadline, signal);
  if ('outcome' in organisation) throw new Error(`no account: ${organisation.reason}`);
  if (organisation.currency === null) throw new Error('the account names no currency');
  return organisation.currency;
}

async function readBalance(client: EsimGoClient, deadline: Deadline): Promise<BalanceAnswer> {
  const organisation = await readOrganisation(client, deadline);
  if ('outcome' in organisation) return { outcome: 'unavailable', reason: organisation.reason };
  const { currency, balance } = organisation;
  if (balance === null) return { outcome: 'unavailable', reason: 'no balance in the answer' };
  if ((currency ?? 'USD') !== 'USD') return { outcome: 'unavailable', reason: 'the account is not in USD' };
  return { outcome: 'balance', balance: signedMicros(balance) };
}
