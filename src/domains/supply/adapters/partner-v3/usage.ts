import { parseTimestamp } from '../../../../platform/clock.ts';
import { type UsageAnswer, type UsageState, usageStates } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { numberOf, objectOf, textOf } from '../loose.ts';
import type { PartnerClient } from './client.ts';
import { troubleOf, troubleText } from './refusals.ts';

export async function readUsage(client: PartnerClient, iccid: string, deadline: Deadline): Promise<UsageAnswer> {
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
