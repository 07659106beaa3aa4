import { setTimeout as wait } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../../../../platform/clock.ts';
import type { Services } from '../../../../platform/start/services.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import type { BalanceAnswer, EsimReference, UsageAnswer, UsageReading, UsageState } from '../../port/port.ts';
import { type Account, type AccountParts, type Deadline, deadlineIn, openAlarm } from '../connection.ts';
import { type Json, listOf, numberOf, parseObject, signedMicros, textOf } from '../loose.ts';
import { requireSome } from '../plan-fields.ts';
import { type EsimGoClient, listIn, noAnswer, openClient } from './client.ts';
import { findOrder } from './find.ts';
import { place } from './orders.ts';
import { readOnPhone, setSuspended } from './phone.ts';
import { mbOfBytes, readCatalogue } from './plans.ts';
import { openSentOrders, type SentOrders } from './sent-orders.ts';
import { type Assignment, readBundles, withdraw } from './withdraw.ts';

/** Refusals that an eSIM which is not ours gets, too. */
const NOT_OURS = [400, 403, 404];

/**
 * An eSIM's bundles run one after the other; a reading is about all of them. They say nothing about the phone, and the eSIM's details
 * take a second call: it is made for the first reading and for one that shows another state, not for every reading.
 */
async function readUsage(
  client: EsimGoClient,
  sent: SentOrders,
  esim: EsimReference,
  deadline: Deadline,
): Promise<UsageAnswer> {
  const { iccid } = esim;
  const read = await readBundles(client, iccid, deadline);
  if ('assignments' in read) {
    const reading = readingOf(read.assignments);
    const profile = isNews(esim, reading) ? await readOnPhone(client, iccid, deadline) : undefined;
    return { outcome: 'reading', reading, ...(profile && { profile }) };
  }
  const isRefused = 'status' in read.called && NOT_OURS.includes(read.called.status);
  if (isRefused && !(await sent.isOurs(iccid))) return { outcome: 'none' };
  return { outcome: 'unavailable', reason: noAnswer(read.called).reason };
}

const isNews = ({ last, deliveredAt }: EsimReference, { state }: UsageReading): boolean =>
  !last || last.fetchedAt.getTime() < deliveredAt.getTime() || last.state !== state;

const WAITING = ['processing', 'queued'];

function readingOf(all: readonly Assignment[]): UsageReading {
  const counted = all.filter(({ state }) => state !== 'revoked');
  const sum = (bytesOf: (one: Assignment) => number) => counted.reduce((total, one) => total + bytesOf(one), 0);
  const starts = counted.flatMap(({ startedAt }) => startedAt?.getTime() ?? []);
  const state = stateOf(counted);
  const isUnlimited = counted.some((one) => one.isUnlimited);
  return {
    state,
    totalMb: isUnlimited || counted.length === 0 ? null : mbOfBytes(sum(({ initialBytes }) => initialBytes)),
    usedMb: isUnlimited ? 0 : mbOfBytes(sum((one) => Math.max(0, one.initialBytes - one.remainingBytes))),
    activatedAt: state === 'not_active' || starts.length === 0 ? null : new Date(Math.min(...starts)),
    expiresAt: state === 'not_active' ? null : endOf(counted),
  };
}

function stateOf(assignments: readonly Assignment[]): UsageState {
  const has = (...states: string[]) => assignments.some(({ state }) => states.includes(state));
  const hasStarted = assignments.some(({ startedAt }) => startedAt !== null);
  // The next bundle starts with the next use.
  if (has('active') || (has(...WAITING) && hasStarted)) return 'active';
  if (has(...WAITING)) return 'not_active';
  if (has('depleted')) return 'depleted';
  if (assignments.length === 0 || has('expired', 'lapsed')) return 'expired';
  return hasStarted ? 'active' : 'not_active';
}

/** When the last bundle ends, if those that wait start as late as they can. Their days are in their names (`esim_1GB_7D_GB_V2`). */
function endOf(assignments: readonly Assignment[]): Date | null {
  const ends = assignments.flatMap(({ endsAt }) => endsAt?.getTime() ?? []);
  if (ends.length === 0) return null;
  const waiting = assignments.filter(({ state, endsAt }) => WAITING.includes(state) && endsAt === null);
  const days = waiting.reduce((sum, { bundle }) => sum + Number(/_(\d{1,4})D(?:_|$)/.exec(bundle)?.[1] ?? 0), 0);
  return new Date(Math.max(...ends) + days * DAY);
}

/** More than this was refused to some accounts. */
const PER_PAGE = 50;
const MAX_PAGES = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;
const TOO_MANY = 429;

/** The whole catalogue, page by page. Throws rather than return part of it. */
async function wholeCatalogue(client: EsimGoClient, deadline: Deadline, signal: AbortSignal): Promise<readonly Json[]> {
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

export interface EsimGoParts extends AccountParts, Pick<Services, 'db'> {
  /** Between the end of an order and the start of the next. */
  readonly pauseMs?: number;
  /** An order is not sent with less time left. */
  readonly leastMs?: number;
}

/** Their limit is 10 a second; we send 8, because requests bunch up in transit and some count for more than one. */
const CALLS_PER_SECOND = 8;
const USAGE_PER_SECOND = 2;
/** What eSIM Go asks for. */
const PAUSE_MS = 3 * SECOND;
const LIST_LIMIT_MS = 6 * MINUTE;

export function openEsimGo(settings: { readonly key: string; readonly url: URL }, parts: EsimGoParts): Account {
  const { db, clock, log, perSecond = CALLS_PER_SECOND, pauseMs = PAUSE_MS, leastMs } = parts;
  const { slug: name = 'esim-go' } = parts;
  const alarm = openAlarm(name, 'eSIM Go needs the operator', { clock, log });
  const client = openClient({ ...settings, perSecond });
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
  const unavailable = otherwise({ outcome: 'unavailable', reason } as const);

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
        requireSome(plans);
        if (leftOut > 0) log.warn({ supplier: slug, bundles: leftOut }, 'bundles without a fixed price were left out');
        return feedImport({ slug, title: 'eSIM Go', kind: 'esim_go' }, plans, titles);
      },
      order: (order, limitMs) =>
        place(ordering, order, deadlineIn(limitMs)).catch(otherwise({ outcome: 'unknown', reason } as const)),
      find: (order, limitMs) => findOrder(ordering, order, deadlineIn(limitMs), clock.now()).catch(unavailable),
      withdraw: ({ iccid }, limitMs) => withdraw(ordering, iccid, deadlineIn(limitMs)).catch(unavailable),
      suspend: ({ iccid }, limitMs) => setSuspended(ordering, iccid, true, deadlineIn(limitMs)).catch(unavailable),
      resume: ({ iccid }, limitMs) => setSuspended(ordering, iccid, false, deadlineIn(limitMs)).catch(unavailable),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: (esim, limitMs) => readUsage(client, sent, esim, deadlineIn(limitMs)).catch(unavailable),
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
