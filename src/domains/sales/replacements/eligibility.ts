import type { ProfileState } from '../../supply/port/port.ts';
import type { Esim, EsimState } from '../esims/esims.ts';

export const replacementStatuses = ['requested', 'pending', 'replaced', 'rejected'] as const;
export type ReplacementStatus = (typeof replacementStatuses)[number];

/** Why an eSIM cannot be replaced. An order that was not delivered has no ICCID, so no request can name it. */
export type NotReplaceable = 'used' | 'replaced' | 'refunded' | 'not_delivered';

/** What decides whether an eSIM can be replaced. */
interface ReplaceFacts {
  readonly state: EsimState;
  readonly profile: { readonly state: ProfileState };
  readonly reading: Pick<NonNullable<Esim['reading']>, 'state'> | null;
  /** Its price went back, or a refund of it is under way; or it is being taken back because its order was cancelled. */
  readonly isRefunded: boolean;
  /** Of its latest replacement; null: there is none. */
  readonly replacement: ReplacementStatus | null;
}

/** Whether it was used does not show in the state of a suspended eSIM, so its last reading says it. */
const stateOf = ({ state, reading }: Pick<ReplaceFacts, 'state' | 'reading'>): EsimState =>
  state === 'suspended' ? (reading?.state ?? 'not_active') : state;

/**
 * Undefined: it can be replaced. That is so for an eSIM that was never used, and for one that was deleted from its phone while its
 * plan still ran. A request that waits for the operator does not stand in the way: asking again returns it.
 */
export function whyNotReplaceable(facts: ReplaceFacts): NotReplaceable | undefined {
  const { profile, isRefunded, replacement } = facts;
  const state = stateOf(facts);
  if (replacement === 'pending' || replacement === 'replaced') return 'replaced';
  if (isRefunded || state === 'cancelled') return 'refunded';
  if (state === 'not_active' || (profile.state === 'deleted' && state !== 'expired')) return undefined;
  return 'used';
}
