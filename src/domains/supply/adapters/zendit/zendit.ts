import { setTimeout as wait } from 'node:timers/promises';
import { DAY, MINUTE, SECOND } from '../../../../platform/clock.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import type { EsimReference, UsageAnswer, UsageReading, WithdrawAnswer } from '../../port/port.ts';
import {
  type Account,
  type AccountParts,
  type Deadline,
  deadlineIn,
  type JsonClient,
  openAlarm,
} from '../connection.ts';
import { dateOf, type Json, listOf, numberOf, objectOf, parseObject, textOf } from '../loose.ts';
import { requireSome } from '../plan-fields.ts';
import { type MatchingIdField, purchasePath } from './chain.ts';
import { codeIn, openClient, readBalance } from './client.ts';
import { findOrder, place } from './orders.ts';
import { MB_PER_GB, readOffers } from './plans.ts';

/** What Zendit says about the refund of a purchase; `none`: there is none. */
type Refund = WithdrawAnswer | 'none' | 'under way';

/** Statuses that refuse this refund, however often it is requested. */
const REFUSED = [400, 404, 409, 422];

/**
 * Asks for the refund of an eSIM that was never installed. Their conditions are not public, so an eSIM that was installed or runs
 * is not even asked for. A refund is one of the purchase's transaction, so we look for it first: a lost reply is resolved by asking
 * again.
 */
async function withdraw(
  client: JsonClient,
  { iccid, supplierOrder: id }: EsimReference,
  deadline: Deadline,
  pollMs: number,
): Promise<WithdrawAnswer> {
  if (id === null) return { outcome: 'refused', reason: 'no such eSIM' };
  const before = await readRefund(client, id, deadline);
  if (typeof before === 'object') return before;
  if (before === 'none') {
    const found = await readPlans(client, iccid, deadline);
    if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
    if (found.known?.firstInstalledAt || found.known?.plans.some(({ isRunning }) => isRunning))
      return { outcome: 'refused', reason: 'it was installed or used' };
    const called = await client.post(`${purchasePath(id)}/refund`, {}, deadline);
    if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
    const { status } = called;
    if (status !== 200 && !REFUSED.includes(status)) return { outcome: 'unavailable', reason: `HTTP ${status}` };
    if (status !== 200) {
      const now = await readRefund(client, id, deadline);
      if (now === 'none') return { outcome: 'refused', reason: `HTTP ${status}` };
      if (typeof now === 'object') return now;
    }
  }
  for (;;) {
    const now = await readRefund(client, id, deadline);
    if (typeof now === 'object') return now;
    if (deadline.leftMs() <= pollMs) return { outcome: 'unavailable', reason: 'the refund is not done yet' };
    await wait(pollMs);
  }
}

async function readRefund(client: JsonClient, id: string, deadline: Deadline): Promise<Refund> {
  const called = await client.get(`${purchasePath(id)}/refund`, deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  const body = parseObject(called.text);
  if (called.status === 404 && body.errorCode === 'NOT_FOUND') return 'none';
  if (called.status !== 200) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  // An answer about another purchase belongs to another call. Which of the two ids is ours is not documented.
  if (![body.refundedTransactionId, body.transactionId].includes(id))
    return { outcome: 'unavailable', reason: 'HTTP 200, not our purchase' };
  const status = textOf(body.status);
  if (status === 'DONE') return { outcome: 'withdrawn' };
  if (status === 'FAILED' || status === 'FAIL')
    return { outcome: 'refused', reason: `the refund failed: ${codeIn(objectOf(body.error).code)}` };
  return 'under way';
}

/** A new eSIM may take this long to be listed. */
const LISTED_WITHIN_MS = 10 * MINUTE;

async function readUsage(
  client: JsonClient,
  esim: EsimReference,
  deadline: Deadline,
  now: number,
): Promise<UsageAnswer> {
  const found = await readPlans(client, esim.iccid, deadline);
  if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
  if (!found.known) return { outcome: 'none' };
  const { plans, firstInstalledAt } = found.known;
  // We never sold such an eSIM.
  if (plans.length === 0 && esim.supplierOrder === null) return { outcome: 'none' };
  const reading = plans.length > 0 ? listed(plans, esim) : unlisted(esim, now);
  // All they tell about the phone is when it was first installed. Without that time nothing is certain: not every plan has it.
  return { outcome: 'reading', reading, ...(firstInstalledAt && { profile: { state: 'installed' } }) };
}

/** Only plans that run or wait are listed. What we sold beyond them is used up. */
function listed(plans: readonly InstalledPlan[], { amountMb = 0 }: EsimReference): UsageReading {
  const sum = (mb: (plan: InstalledPlan) => number) => plans.reduce((total, plan) => total + mb(plan), 0);
  const listedMb = sum(({ initialMb }) => initialMb);
  const isUnlimited = plans.some((plan) => plan.isUnlimited);
  const totalMb = Math.max(amountMb, listedMb);
  const running = plans.filter(({ isRunning }) => isRunning);
  const isActive = running.length > 0 || (!isUnlimited && listedMb < amountMb);
  const starts = running.flatMap(({ startAt }) => startAt?.getTime() ?? []);
  const ends = plans.flatMap(({ endAt }) => endAt?.getTime() ?? []);
  return {
    state: isActive ? 'active' : 'not_active',
    totalMb: isUnlimited ? null : totalMb,
    usedMb: isUnlimited
      ? 0
      : totalMb -
        Math.min(
          totalMb,
          sum(({ remainingMb }) => remainingMb),
        ),
    activatedAt: starts.length > 0 ? new Date(Math.min(...starts)) : null,
    // A plan that waits has no end yet, so the eSIM has none either.
    expiresAt: isActive && ends.length === plans.length ? new Date(Math.max(...ends)) : null,
  };
}

/**
 * None of its plans runs or waits. What we sold and the last reading decide: before its days can be over, the eSIM is depleted;
 * afterwards it has expired, with the usage of that reading. If it was never read, all data counts as used, so that nothing is
 * credited for data that may have been used.
 */
function unlisted({ amountMb, day, deliveredAt, last }: EsimReference, now: number): UsageReading {
  const sold = deliveredAt.getTime();
  const known = last && last.fetchedAt.getTime() >= sold ? last : undefined;
  const times = { activatedAt: known?.activatedAt ?? null, expiresAt: known?.expiresAt ?? null };
  if (!known && now < sold + LISTED_WITHIN_MS) return { state: 'not_active', totalMb: null, usedMb: 0, ...times };
  const totalMb = known?.totalMb ?? amountMb ?? null;
  const isOver = now >= (times.expiresAt?.getTime() ?? sold + day * DAY);
  const usedMb = (isOver ? known?.usedMb : undefined) ?? totalMb ?? 0;
  return { state: isOver ? 'expired' : 'depleted', totalMb, usedMb, ...times };
}

export interface ZenditSettings {
  readonly apiKey: string;
  readonly url: URL;
  readonly matchingIdField: MatchingIdField;
}

/** They publish no limit and ask to poll at most once a second. */
const POLL_MS = 1 * SECOND;
const USAGE_PER_SECOND = 2;

export function openZendit(settings: ZenditSettings, parts: AccountParts & { readonly pollMs?: number }): Account {
  const { clock, log, pollMs = POLL_MS, perSecond, slug: name = 'zendit' } = parts;
  const alarm = openAlarm(name, 'Zendit needs the operator', { clock, log });
  const client = openClient({ ...settings, perSecond });
  const ordering = { client, matchingIdField: settings.matchingIdField, alarm };

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const { plans, titles, leftOut } = readOffers(await wholeList(client, signal));
        requireSome(plans);
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
async function wholeList(client: JsonClient, signal: AbortSignal): Promise<readonly Json[]> {
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

/** A plan of an eSIM that runs or waits. */
interface InstalledPlan {
  readonly isRunning: boolean;
  readonly isUnlimited: boolean;
  readonly initialMb: number;
  readonly remainingMb: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

/** The plans of an eSIM, without those that are over; undefined: Zendit does not know it. */
async function readPlans(client: JsonClient, iccid: string, deadline: Deadline) {
  const called = await client.get(`/esim/${encodeURIComponent(iccid)}/plans`, deadline);
  if ('failed' in called) return { reason: called.failed };
  const body = parseObject(called.text);
  if (called.status === 404 && body.errorCode === 'NOT_FOUND') return { known: undefined };
  const list = listOf(body.list);
  if (called.status !== 200 || !list) return { reason: `HTTP ${called.status}` };
  // An answer about another eSIM belongs to another call, even if it came on our connection.
  if (list.some((one) => (textOf(one.iccid) ?? iccid) !== iccid)) return { reason: 'HTTP 200, not our eSIM' };
  return { known: { plans: list.map(planOf), firstInstalledAt: dateOf(body.firstInstalledAt) } };
}

const planOf = (plan: Json): InstalledPlan => ({
  isRunning: plan.status === 'ACTIVE',
  isUnlimited: plan.unlimited === true,
  initialMb: mbOf(plan.initialDataGB),
  remainingMb: mbOf(plan.remainingDataGB),
  startAt: dateOf(plan.startAt),
  endAt: dateOf(plan.endAt),
});

const mbOf = (gb: unknown): number => Math.max(0, Math.round((numberOf(gb) ?? 0) * MB_PER_GB));
