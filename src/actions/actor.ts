import type { Base } from '../base.ts';
import { Refused } from '../refused.ts';

/**
 * Who does something: an operator at the command line, or a member in the panel. An action is what either does: one
 * transaction with the change and its entry in the audit log.
 */
export interface Actor extends Pick<Base, 'db' | 'clock' | 'vault' | 'guard'> {
  /** Whose name the audit log gets. */
  readonly who: string;
  /** The only partner there is for a member; undefined: an operator, who sees them all. */
  readonly confinedTo: number | undefined;
}

/** What is another partner's does not exist for a member: the refusal is the one for an id that was never given out. */
export function mine<T extends { readonly partner_id: number }>(actor: Actor, found: T, refusal: string): T {
  if (actor.confinedTo !== undefined && found.partner_id !== actor.confinedTo) throw new Refused(refusal);
  return found;
}
