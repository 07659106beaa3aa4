import { DAY } from '../../../../platform/clock.ts';
import type { UsageAnswer, UsageReading, UsageState } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { type Assignment, readBundles } from './bundles.ts';
import type { EsimGoClient } from './client.ts';
import { mbOfBytes } from './plans.ts';
import { noAnswer } from './refusals.ts';
import type { SentOrders } from './sent-orders.ts';

/** Refusals that an eSIM which is not ours gets, too. */
const NOT_OURS = [400, 403, 404];

/** An eSIM's bundles run one after the other; a reading is about all of them. */
export async function readUsage(
  client: EsimGoClient,
  sent: SentOrders,
  iccid: string,
  deadline: Deadline,
): Promise<UsageAnswer> {
  const read = await readBundles(client, iccid, deadline);
  if ('assignments' in read) return { outcome: 'reading', reading: readingOf(read.assignments) };
  const isRefused = 'status' in read.called && NOT_OURS.includes(read.called.status);
  if (isRefused && !(await sent.isOurs(iccid))) return { outcome: 'none' };
  return { outcome: 'unavailable', reason: noAnswer(read.called).reason };
}

const WAITING = ['processing', 'queued'];

function readingOf(all: readonly Assignment[]): UsageReading {
  const counted = all.filter(({ state }) => state !== 'revoked');
  const sum = (bytesOf: (one: Assignment) => number) => counted.reduce((total, one) => total + bytesOf(one), 0);
  const starts = counted.flatMap(({ startedAt }) => startedAt?.getTime() ?? []);
  const state = stateOf(counted);
  const isUnlimited = counted.some((one) => one.isUnlimited);
  return {
    state,
    totalMb: isUnlimited || counted.length === 0 ? null : mbOfBytes(sum(({ initialBytes }) => initialBytes)),
    usedMb: isUnlimited ? 0 : mbOfBytes(sum((one) => Math.max(0, one.initialBytes - one.remainingBytes))),
    activatedAt: state === 'not_active' || starts.length === 0 ? null : new Date(Math.min(...starts)),
    expiresAt: state === 'not_active' ? null : endOf(counted),
  };
}

function stateOf(assignments: readonly Assignment[]): UsageState {
  const has = (...states: string[]) => assignments.some(({ state }) => states.includes(state));
  const hasStarted = assignments.some(({ startedAt }) => startedAt !== null);
  // The next bundle starts with the next use.
  if (has('active') || (has(...WAITING) && hasStarted)) return 'active';
  if (has(...WAITING)) return 'not_active';
  if (has('depleted')) return 'depleted';
  if (assignments.length === 0 || has('expired', 'lapsed')) return 'expired';
  return hasStarted ? 'active' : 'not_active';
}

/** When the last bundle ends, if those that wait start as late as they can. Their days are in their names (`esim_1GB_7D_GB_V2`). */
function endOf(assignments: readonly Assignment[]): Date | null {
  const ends = assignments.flatMap(({ endsAt }) => endsAt?.getTime() ?? []);
  if (ends.length === 0) return null;
  const waiting = assignments.filter(({ state, endsAt }) => WAITING.includes(state) && endsAt === null);
  const days = waiting.reduce((sum, { bundle }) => sum + Number(/_(\d{1,4})D(?:_|$)/.exec(bundle)?.[1] ?? 0), 0);
  return new Date(Math.max(...ends) + days * DAY);
}
