import { parseTimestamp } from '../../../../platform/clock.ts';
import type { EsimReference, UsageAnswer, UsageState } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { type Json, listOf, numberOf, textOf } from '../loose.ts';
import { type EsimAccessClient, listIn } from './client.ts';
import { isByTheDay } from './day-plans.ts';
import { profileOf } from './profiles.ts';

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

/** The profile gives the state, a second call the data used. */
export async function readUsage(
  client: EsimAccessClient,
  esim: EsimReference,
  deadline: Deadline,
): Promise<UsageAnswer> {
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

const dateOf = (value: unknown): Date | null => parseTimestamp(textOf(value) ?? '') ?? null;
