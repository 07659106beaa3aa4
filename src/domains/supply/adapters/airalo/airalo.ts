import type { Clock } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { feedImport } from '../../../catalog/import-format/import-format.ts';
import { openAlarm } from '../../health/alarm.ts';
import type { BalanceAnswer, Supplier } from '../../port/port.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { numberOf, objectOf, parseObject, signedMicros, textOf } from '../loose.ts';
import { type AiraloClient, openClient } from './client.ts';
import { wholeList } from './list.ts';
import { findByDescription, place } from './orders.ts';
import { readPackages } from './plans.ts';
import type { AiraloCredentials } from './token.ts';
import { readUsage } from './usage.ts';

export interface AiraloSettings extends AiraloCredentials {
  readonly url: URL;
}

/** One account at Airalo, with its connections and its token. */
export interface Airalo {
  supplier(slug: string): Supplier;
  close(): Promise<void>;
}

export interface AiraloParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Calls of this process; undefined: any number. */
  readonly perSecond?: number;
  /** As the log names the account. */
  readonly slug?: string;
}

/** Airalo allows 5 calls a second for the whole account; the job leaves some for partners who look at their eSIMs. */
const USAGE_PER_SECOND = 2;

export function openAiralo(
  { url, ...credentials }: AiraloSettings,
  { clock, log, perSecond, slug: name = 'airalo' }: AiraloParts,
): Airalo {
  const alarm = openAlarm({ supplier: name, message: 'Airalo needs the operator', clock, log });
  const client = openClient({ url, credentials, clock, alarm, perSecond });

  return {
    supplier: (slug) => ({
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      async plans(signal) {
        const { places, discountPct } = await wholeList(client, signal);
        const { plans, titles, leftOut } = readPackages(places, discountPct);
        // An empty list would take everything off sale.
        if (plans.length === 0) throw new Error('the list is empty');
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
async function readBalance(client: AiraloClient, deadline: Deadline): Promise<BalanceAnswer> {
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
