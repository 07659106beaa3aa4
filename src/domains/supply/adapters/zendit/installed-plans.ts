import type { JsonClient } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { dateOf, type Json, listOf, numberOf, parseObject, textOf } from '../loose.ts';
import { MB_PER_GB } from './plans.ts';

/** A plan of an eSIM that runs or waits. */
export interface InstalledPlan {
  readonly isRunning: boolean;
  readonly isUnlimited: boolean;
  readonly initialMb: number;
  readonly remainingMb: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

/** The plans of an eSIM, without those that are over; undefined: Zendit does not know it. */
export async function readPlans(client: JsonClient, iccid: string, deadline: Deadline) {
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
