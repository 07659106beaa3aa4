import { MINUTE } from '../../../../platform/clock.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import type { BalanceAnswer, UsageAnswer, UsageState } from '../../port/port.ts';
import {
  type Account,
  type AccountParts,
  type Deadline,
  deadlineIn,
  type JsonClient,
  openAlarm,
} from '../connection.ts';
import { dateOf, type Json, listOf, numberOf, objectOf, parseObject, signedMicros, textOf } from '../loose.ts';
import { requireSome } from '../plan-fields.ts';
import { type AiraloCredentials, openClient } from './client.ts';
import { findByDescription, place } from './orders.ts';
import { readPackages } from './plans.ts';

/** Without `UNKNOWN`, which means that Airalo has no reading. */
const states: Readonly<Record<string, UsageState>> = {
  NOT_ACTIVE: 'not_active',
  ACTIVE: 'active',
  FINISHED: 'depleted',
  EXPIRED: 'expired',
  RECYCLED: 'expired',
};

async function readUsage(client: JsonClient, iccid: string, deadline: Deadline): Promise<UsageAnswer> {
  const sim = `/sims/${encodeURIComponent(iccid)}`;
  const called = await client.get(`${sim}/usage`, deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status === 404) return { outcome: 'none' };
  const data = objectOf(parseObject(called.text).data);
  const status = textOf(data.status);
  if (called.status !== 200 || status === null) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  const state = states[status];
  if (!state) return { outcome: 'none' };
  const total = numberOf(data.total) ?? 0;
  // Unlimited and recycled plans have no count.
  const isCounted = total > 0;
  return {
    outcome: 'reading',
    reading: {
      state,
      totalMb: isCounted ? Math.round(total) : null,
      usedMb: isCounted ? Math.max(0, Math.round(total - (numberOf(data.remaining) ?? 0))) : 0,
      activatedAt: state === 'not_active' ? null : await activatedAt(client, `${sim}/packages`, deadline),
      expiresAt: dateOf(data.expired_at),
    },
  };
}

/** The usage answer lacks the time of activation. If it cannot be found, the reading is still worth returning. */
async function activatedAt(client: JsonClient, path: string, deadline: Deadline): Promise<Date | null> {
  const called = await client.get(path, deadline);
  if ('failed' in called || called.status !== 200) return null;
  const times = (listOf(parseObject(called.text).data) ?? []).map(({ activated_at }) => dateOf(activated_at));
  const [first = null] = times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime());
  return first;
}

/** Airalo allows 5 calls a second for the whole account; the job leaves some for partners who look at their eSIMs. */
const USAGE_PER_SECOND = 2;

export function openAiralo(
  { url, ...credentials }: AiraloCredentials & { readonly url: URL },
  { clock, log, perSecond, slug: name = 'airalo' }: AccountParts,
): Account {
  const alarm = openAlarm(name, 'Airalo needs the operator', { clock, log });
  const client = openClient({ url, credentials, clock, alarm, perSecond });

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const { places, discountPct } = await wholeList(client, signal);
        const { plans, titles, leftOut } = readPackages(places, discountPct);
        requireSome(plans);
        return feedImport({ slug, title: 'Airalo', kind: 'airalo' }, plans, titles, leftOut);
      },
      order: (order, limitMs) => place(client, order, deadlineIn(limitMs), alarm),
      find: (order, limitMs) => findByDescription(client, order, deadlineIn(limitMs), clock.now(), alarm),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: ({ iccid }, limitMs) => readUsage(client, iccid, deadlineIn(limitMs)),
    }),
    close: () => client.close(),
  };
}

/** What is left of the account's balance. Accounts without one get an empty list. */
async function readBalance(client: JsonClient, deadline: Deadline): Promise<BalanceAnswer> {
  const called = await client.get('/balance', deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status !== 200) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  const { balances } = objectOf(parseObject(called.text).data);
  const { amount, currency } = objectOf(objectOf(balances).availableBalance);
  const usd = numberOf(amount);
  if (usd === null || (textOf(currency) ?? 'USD') !== 'USD')
    return { outcome: 'unavailable', reason: 'the account has no balance in USD' };
  return { outcome: 'balance', balance: signedMicros(usd) };
}

const MAX_BYTES = 128 * 1024 * 1024;
const LIMIT_MS = 2 * MINUTE;
const MAX_PAGES = 1_000;

/**
 * Everything Airalo lists now, refills included. Without a page size it comes as one answer. If it is paged all the same, every page is read, because
 * a plan missing from the list goes off sale. Throws rather than return part of the list.
 */
async function wholeList(
  client: JsonClient,
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
