import type { Called } from '../../../../platform/http/call.ts';
import type { Deadline } from '../deadline.ts';
import { dateOf, listOf, numberOf, textOf } from '../loose.ts';
import { type EsimGoClient, listIn } from './client.ts';

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
