import { setTimeout as wait } from 'node:timers/promises';
import { toMicros } from '../../../../platform/amounts/cents.ts';
import { MINUTE, SECOND } from '../../../../platform/clock.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import type {
  Absent,
  BalanceAnswer,
  EsimReference,
  OrderAnswer,
  RefilledEsim,
  SupplierOrder,
  UsageAnswer,
  UsageState,
  WithdrawAnswer,
} from '../../port/port.ts';
import {
  type Account,
  type AccountParts,
  type Deadline,
  deadlineIn,
  openAlarm,
  uniqueReference,
} from '../connection.ts';
import { dateOf, type Json, listOf, numberOf, objectOf, textOf, wholeNumber } from '../loose.ts';
import { requireSome } from '../plan-fields.ts';
import {
  type EsimAccessClient,
  type EsimAccessCredentials,
  listIn,
  MICROS_PER_UNIT,
  openClient,
  readRefusal,
  unitsOf,
  whyNot,
} from './client.ts';
import { findOrder, place } from './orders.ts';
import { destinationOf, isByTheDay, readPackages } from './plans.ts';
import { onPhone, profileOf, setService } from './profiles.ts';
import { readRefillLists } from './refill-lists.ts';

/** An eSIM that can still be cancelled, or the answer for one that cannot. */
type Cancellable = { readonly esimTranNo: string } | WithdrawAnswer;

/** They refuse to withdraw it, whatever its profile says: the state does not allow it, or there is no such eSIM. */
const REFUSED = ['200002', '310403'];

/**
 * Cancels a profile that was never downloaded; its price is returned to our balance. We go by the profile's state, not by the reply
 * to the call, because the reply does not say which profile it is about. So a lost reply is resolved by asking again.
 */
async function withdraw(
  client: EsimAccessClient,
  esim: EsimReference,
  deadline: Deadline,
  pollMs: number,
): Promise<WithdrawAnswer> {
  const before = await cancellableOf(client, esim, deadline);
  if ('outcome' in before) return before;
  const answer = await client.post('/esim/cancel', { esimTranNo: before.esimTranNo }, deadline);
  if (answer.said === 'nothing' || answer.said === 'nonsense') return { outcome: 'unavailable', reason: answer.reason };
  for (;;) {
    const now = await cancellableOf(client, esim, deadline);
    if ('outcome' in now) return now;
    if (answer.said === 'no') {
      const outcome = REFUSED.includes(answer.code) ? 'refused' : 'unavailable';
      return { outcome, reason: `code ${answer.code}` };
    }
    if (deadline.leftMs() <= pollMs) return { outcome: 'unavailable', reason: 'not cancelled yet' };
    await wait(pollMs);
  }
}

async function cancellableOf(client: EsimAccessClient, esim: EsimReference, deadline: Deadline): Promise<Cancellable> {
  const found = await profileOf(client, esim, deadline);
  if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
  const { profile } = found;
  const esimTranNo = textOf(profile?.esimTranNo);
  if (!profile || esimTranNo === null) return { outcome: 'refused', reason: 'no such eSIM' };
  if (profile.esimStatus === 'CANCEL') return { outcome: 'withdrawn' };
  const isUntouched = profile.esimStatus === 'GOT_RESOURCE' && profile.smdpStatus === 'RELEASED';
  return isUntouched ? { esimTranNo } : { outcome: 'refused', reason: 'it was installed or used, or it has ended' };
}

const states: Readonly<Record<string, UsageState>> = {
  GOT_RESOURCE: 'not_active',
  IN_USE: 'active',
  USED_UP: 'depleted',
  USED_EXPIRED: 'expired',
  UNUSED_EXPIRED: 'expired',
  CANCEL: 'expired',
  REVOKED: 'expired',
};

const BYTES_PER_MB = 1_048_576;

/** The profile gives the state, here and on the phone; a second call the data used. */
async function readUsage(client: EsimAccessClient, esim: EsimReference, deadline: Deadline): Promise<UsageAnswer> {
  const found = await profileOf(client, esim, deadline);
  if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
  const { profile } = found;
  if (!profile) return { outcome: 'none' };
  const activatedAt = dateOf(profile.activateTime);
  // For a state that we do not have (suspended, say), go by whether it was activated.
  const state = states[textOf(profile.esimStatus) ?? ''] ?? (activatedAt ? 'active' : 'not_active');
  if (state === 'not_active') return reading(state, profile, 0, null);
  const used = await usedBytes(client, profile, deadline);
  return typeof used === 'string'
    ? { outcome: 'unavailable', reason: used }
    : reading(state, profile, used, activatedAt);
}

function reading(state: UsageState, profile: Json, usedBytes: number, activatedAt: Date | null): UsageAnswer {
  const total = numberOf(profile.totalVolume);
  // Before activation this is the last date to activate, not the expiry.
  const expiresAt = state === 'not_active' ? null : dateOf(profile.expiredTime);
  // By the day it may be the data of one day; then the plan's own figure counts.
  const totalMb = total === null || isByTheDay(profile) ? null : Math.round(total / BYTES_PER_MB);
  return {
    outcome: 'reading',
    reading: { state, totalMb, usedMb: Math.round(usedBytes / BYTES_PER_MB), activatedAt, expiresAt },
    profile: onPhone(profile),
  };
}

/** Bytes used, or the reason as text why they are unknown. */
async function usedBytes(client: EsimAccessClient, profile: Json, deadline: Deadline): Promise<number | string> {
  const esimTranNo = textOf(profile.esimTranNo);
  const answer = await client.post('/esim/usage/query', { esimTranNoList: [esimTranNo] }, deadline);
  if (answer.said === 'no') return `code ${answer.code}`;
  if (answer.said !== 'yes') return answer.reason;
  const listed = (listOf(listIn(answer.obj, 'esimUsageList')) ?? []).find(
    (one) => textOf(one.esimTranNo) === esimTranNo,
  );
  // Usage arrives hours late. Until then the profile's own figure has to do.
  return numberOf(listed?.dataUsage) ?? numberOf(profile.orderUsage) ?? 0;
}

/** An order that adds its plan to an eSIM. */
type Refill = SupplierOrder & { readonly refillOf: RefilledEsim };

const isRefill = (order: SupplierOrder): order is Refill => order.refillOf !== null;

/**
 * Adds a plan to an eSIM, with our reference as the transaction id. Sending the same id again returns the same refill, so a lost
 * reply is harmless. The eSIM is named by its profile's number, because ICCIDs are reused; it takes a call to learn that.
 */
async function placeRefill(
  client: EsimAccessClient,
  order: Refill,
  deadline: Deadline,
  alarm: (reason: string) => void,
): Promise<OrderAnswer> {
  const found = await profileOf(client, order.refillOf, deadline);
  if ('reason' in found) return { outcome: 'unavailable', ...found };
  const esimTranNo = textOf(found.profile?.esimTranNo);
  if (esimTranNo === null) return { outcome: 'refused', reason: 'no such eSIM' };
  const transactionId = uniqueReference(order);
  // At any other price than this one the refill is rejected.
  const amount = unitsOf(order.cost);
  const payload = { esimTranNo, packageCode: order.plan, transactionId, ...(amount === undefined ? {} : { amount }) };
  const answer = await client.post('/esim/topup', payload, deadline);
  if (answer.said === 'nothing') return { outcome: answer.sent ? 'unknown' : 'unavailable', ...whyNot(answer) };
  if (answer.said === 'nonsense') return { outcome: 'unknown', reason: answer.reason };
  if (answer.said === 'no') return readRefusal(answer.code, alarm);
  // An answer with another id belongs to another call, even if it came on our connection.
  if (objectOf(answer.obj).transactionId !== transactionId)
    return { outcome: 'unknown', reason: 'HTTP 200, not our transaction' };
  return { outcome: 'refilled', supplierOrder: transactionId };
}

/** A profile names the transaction of each of its packages. */
async function findRefill(client: EsimAccessClient, order: Refill, deadline: Deadline): Promise<OrderAnswer | Absent> {
  const found = await profileOf(client, order.refillOf, deadline);
  if ('reason' in found) return { outcome: 'unavailable', ...found };
  const transactionId = uniqueReference(order);
  const isThere = (listOf(found.profile?.packageList) ?? []).some((one) => one.transactionId === transactionId);
  // It may still be on its way to the profile. Ordering again is safe: the same transaction id returns the same refill.
  return isThere ? { outcome: 'refilled', supplierOrder: transactionId } : { outcome: 'absent' };
}

interface EsimAccessParts extends AccountParts {
  readonly pollMs?: number;
  /** The lengths in days for which packages sold by the day are imported. */
  readonly dayPlanDays?: readonly number[];
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

export function openEsimAccess(
  { url, ...credentials }: EsimAccessCredentials & { readonly url: URL },
  parts: EsimAccessParts,
): Account {
  const { clock, log, perSecond = CALLS_PER_SECOND, pollMs = POLL_MS, dayPlanDays = [] } = parts;
  const { slug: name = 'esim-access' } = parts;
  const alarm = openAlarm(name, 'eSIM Access needs the operator', { clock, log });
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
        requireSome(plans);
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
      suspend: (esim, limitMs) => setService(client, esim, 'suspend', deadlineIn(limitMs)),
      resume: (esim, limitMs) => setService(client, esim, 'unsuspend', deadlineIn(limitMs)),
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
