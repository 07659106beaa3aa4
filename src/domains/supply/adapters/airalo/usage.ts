import { parseTimestamp } from '../../../../platform/clock.ts';
import type { UsageAnswer, UsageState } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { listOf, numberOf, objectOf, parseObject, textOf } from '../loose.ts';
import type { AiraloClient } from './client.ts';

/** Without `UNKNOWN`, which means that Airalo has no reading. */
const states: Readonly<Record<string, UsageState>> = {
  NOT_ACTIVE: 'not_active',
  ACTIVE: 'active',
  FINISHED: 'depleted',
  EXPIRED: 'expired',
  RECYCLED: 'expired',
};

export async function readUsage(client: AiraloClient, iccid: string, deadline: Deadline): Promise<UsageAnswer> {
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
async function activatedAt(client: AiraloClient, path: string, deadline: Deadline): Promise<Date | null> {
  const called = await client.get(path, deadline);
  if ('failed' in called || called.status !== 200) return null;
  const times = (listOf(parseObject(called.text).data) ?? []).map(({ activated_at }) => dateOf(activated_at));
  const [first = null] = times.filter((time) => time !== null).sort((a, b) => a.getTime() - b.getTime());
  return first;
}

const dateOf = (value: unknown): Date | null => parseTimestamp(textOf(value) ?? '') ?? null;
