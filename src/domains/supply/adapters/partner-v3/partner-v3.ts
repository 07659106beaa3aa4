import { type Clock, parseTimestamp } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { openAlarm } from '../../health/alarm.ts';
import { type Supplier, type UsageAnswer, type UsageState, usageStates } from '../../port/port.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { numberOf, objectOf, textOf } from '../loose.ts';
import { readBalance } from './balance.ts';
import { openClient, type PartnerClient } from './client.ts';
import { readList } from './list.ts';
import { find, place } from './orders.ts';
import { troubleOf, troubleText } from './refusals.ts';
import { withdraw } from './withdraw.ts';

/** One account at a service that speaks the partner API, with its connections. */
export interface PartnerV3 {
  readonly supplier: Supplier;
  close(): Promise<void>;
}

/** They allow 360 readings a minute for a key; looks at orders need some of them. */
const USAGE_PER_SECOND = 3;
/** Keys that sell eSIMs which do not exist. */
const TEST_KEY = 'esk_test_';

export function openPartnerV3(
  { slug, url, key }: { readonly slug: string; readonly url: URL; readonly key: string },
  { clock, log }: { clock: Clock; log: Log },
): PartnerV3 {
  const alarm = openAlarm({ supplier: slug, message: 'a partner API needs the operator', clock, log });
  if (key.startsWith(TEST_KEY))
    log.warn({ supplier: slug }, 'the key is a test key: the eSIMs of this supplier are not real');
  const client = openClient({ url, key });
  const parts = { client, clock, alarm, seen: new Map<string, string>() };

  return {
    supplier: {
      name: slug,
      sellsRefills: true,
      usagePerSecond: USAGE_PER_SECOND,
      plans: (signal, since = null) => readList(client, { slug, title: url.host }, since, signal),
      order: (order, limitMs) => place(parts, order, deadlineIn(limitMs)),
      find: (order, limitMs) => find(parts, order, deadlineIn(limitMs)),
      withdraw: (esim, limitMs) => withdraw(client, esim, deadlineIn(limitMs)),
      balance: (limitMs) => readBalance(client, deadlineIn(limitMs)),
      usage: ({ iccid }, limitMs) => readUsage(client, iccid, deadlineIn(limitMs)),
    },
    close: () => client.close(),
  };
}

async function readUsage(client: PartnerClient, iccid: string, deadline: Deadline): Promise<UsageAnswer> {
  try {
    const usage = objectOf(objectOf(await client.within(deadline).order.usage(iccid)).usage);
    const state = usageStates.find((one): one is UsageState => one === textOf(usage.status));
    if (!state) return { outcome: 'unavailable', reason: 'a state we do not know' };
    const total = Math.round(numberOf(usage.total_mb) ?? 0);
    return {
      outcome: 'reading',
      reading: {
        state,
        totalMb: usage.is_unlimited === true || total <= 0 ? null : total,
        usedMb: Math.max(0, Math.round(numberOf(usage.used_mb) ?? 0)),
        activatedAt: dateOf(usage.activated_at),
        expiresAt: dateOf(usage.expires_at),
      },
    };
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    if ('code' in trouble && trouble.status === 404) return { outcome: 'none' };
    return { outcome: 'unavailable', reason: troubleText(trouble) };
  }
}

const dateOf = (value: unknown): Date | null => parseTimestamp(textOf(value) ?? '') ?? null;
