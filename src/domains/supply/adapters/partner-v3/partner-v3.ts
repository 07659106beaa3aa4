import type { Clock } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { openAlarm } from '../../health/alarm.ts';
import type { Supplier } from '../../port/port.ts';
import { deadlineIn } from '../deadline.ts';
import { readBalance } from './balance.ts';
import { openClient } from './client.ts';
import { readList } from './list.ts';
import { find, place } from './orders.ts';
import { readUsage } from './usage.ts';
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
