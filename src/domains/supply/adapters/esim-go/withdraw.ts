import type { Called } from '../../../../platform/http/call.ts';
import type { WithdrawAnswer } from '../../port/port.ts';
import type { Deadline } from '../connection.ts';
import { dateOf, listOf, numberOf, parseObject, textOf } from '../loose.ts';
import { type EsimGoClient, listIn, noAnswer } from './client.ts';
import type { OrderParts } from './orders.ts';

/** A bundle on an eSIM: what was ordered first, or a refill. */
export interface Assignment {
  readonly bundle: string;
  readonly id: string | null;
  /** Their order that put it there. */
  readonly orderReference: string | null;
  readonly assignedAt: Date | null;
  readonly state: string;
  readonly isUnlimited: boolean;
  readonly initialBytes: number;
  readonly remainingBytes: number;
  readonly startedAt: Date | null;
  readonly endsAt: Date | null;
}

/** Everything that was ever put onto an eSIM; the most the API lists. */
const LIMIT = 200;
const MAX_BYTES = 1024 * 1024;

/** The data bundles of an eSIM, or the call that brought none. */
export async function readBundles(
  client: EsimGoClient,
  iccid: string,
  deadline: Deadline,
): Promise<{ readonly assignments: readonly Assignment[] } | { readonly called: Called }> {
  const path = `/esims/${encodeURIComponent(iccid)}/bundles?includeUsed=true&limit=${LIMIT}`;
  const called = await client.get(path, deadline, { maxBytes: MAX_BYTES });
  if ('failed' in called || called.status !== 200) return { called };
  const bundles = listIn(called.text, 'bundles');
  if (!bundles) return { called: { failed: 'no bundles in the answer', sent: true, answered: true } };
  const assignments = bundles.flatMap(({ name, assignments }) =>
    (listOf(assignments) ?? [])
      .filter(({ callTypeGroup }) => (textOf(callTypeGroup) ?? 'data').toLowerCase() === 'data')
      .map((one) => ({
        bundle: textOf(name) ?? '',
        id: textOf(one.id),
        orderReference: orderOf(textOf(one.assignmentReference)),
        assignedAt: dateOf(one.assignmentDateTime),
        state: (textOf(one.bundleState) ?? '').toLowerCase(),
        isUnlimited: one.unlimited === true,
        initialBytes: numberOf(one.initialQuantity) ?? 0,
        remainingBytes: numberOf(one.remainingQuantity) ?? 0,
        startedAt: dateOf(one.startTime),
        endsAt: dateOf(one.endTime),
      })),
  );
  return { assignments };
}

/** An assignment is named after its order: the order's reference and a number. */
const orderOf = (assignment: string | null): string | null => assignment?.replace(/-\d{1,4}$/, '') ?? null;

/** Bundles that can still be revoked, or the answer for an eSIM that cannot be withdrawn. */
type Revocable = { readonly open: readonly Assignment[] } | WithdrawAnswer;

const UNSTARTED = ['queued', 'processing'];
const REFUSED = [400, 403, 404, 410];

/**
 * Revokes all bundles of an eSIM that was never installed, each for a refund to our balance. We go by the state of the bundles, not by
 * the replies, so a lost reply is resolved by asking again. An eSIM without bundles may leave the account: then it counts as withdrawn
 * if we have asked for it.
 */
export async function withdraw(parts: OrderParts, iccid: string, deadline: Deadline): Promise<WithdrawAnswer> {
  const before = await revocable(parts, iccid, deadline);
  if ('outcome' in before) return before;
  const touched = await installed(parts, iccid, deadline);
  if (touched) return touched;
  for (const one of before.open) {
    const called = await revoke(parts, iccid, one, 'validate', deadline);
    if (!isOk(called)) return refusal(called);
  }
  // Written before the first call leaves: afterwards the eSIM may be gone.
  await parts.sent.noteWithdrawal(iccid);
  for (const one of before.open) {
    const called = await revoke(parts, iccid, one, 'transaction', deadline);
    if (!isOk(called)) return refusal(called);
    if (!/balance/i.test(textOf(parseObject(called.text).status) ?? ''))
      parts.alarm(`a bundle was revoked, but its price did not go back to the balance: ask eSIM Go to enable refunds`);
  }
  const after = await revocable(parts, iccid, deadline);
  return 'outcome' in after ? after : { outcome: 'unavailable', reason: 'not revoked yet' };
}

async function revocable({ client, sent }: OrderParts, iccid: string, deadline: Deadline): Promise<Revocable> {
  const read = await readBundles(client, iccid, deadline);
  if ('called' in read) {
    const answer = refusal(read.called);
    return answer.outcome === 'refused' && (await sent.isWithdrawn(iccid)) ? { outcome: 'withdrawn' } : answer;
  }
  const open = read.assignments.filter(({ state }) => state !== 'revoked');
  if (open.length === 0)
    return (await sent.isWithdrawn(iccid)) || read.assignments.length > 0
      ? { outcome: 'withdrawn' }
      : { outcome: 'refused', reason: 'no such eSIM' };
  const isUnstarted = open.every(({ state, startedAt, id }) => UNSTARTED.includes(state) && !startedAt && id !== null);
  return isUnstarted ? { open } : { outcome: 'refused', reason: 'it was used, or it has ended' };
}

/** Undefined: it never was. One that was installed and removed again has the time of its first installation. */
async function installed(
  { client }: OrderParts,
  iccid: string,
  deadline: Deadline,
): Promise<WithdrawAnswer | undefined> {
  const called = await client.get(`/esims/${encodeURIComponent(iccid)}`, deadline);
  if (!isOk(called)) return refusal(called);
  const { profileStatus, firstInstalledDateTime } = parseObject(called.text);
  const isReleased = textOf(profileStatus)?.toLowerCase() === 'released';
  const isUntouched = isReleased && (textOf(firstInstalledDateTime) ?? '0') === '0';
  return isUntouched ? undefined : { outcome: 'refused', reason: 'it was installed' };
}

function revoke(
  { client }: OrderParts,
  iccid: string,
  { bundle, id }: Assignment,
  type: 'validate' | 'transaction',
  deadline: Deadline,
): Promise<Called> {
  const path = ['esims', iccid, 'bundles', bundle, 'assignments', id ?? ''].map(encodeURIComponent).join('/');
  return client.delete(`/${path}?type=${type}&refundToBalance=true`, deadline);
}

const isOk = (called: Called): called is Extract<Called, { status: number }> =>
  'status' in called && called.status === 200;

const refusal = (called: Called): WithdrawAnswer =>
  'status' in called && REFUSED.includes(called.status)
    ? { outcome: 'refused', reason: `HTTP ${called.status}` }
    : { outcome: 'unavailable', reason: noAnswer(called).reason };
