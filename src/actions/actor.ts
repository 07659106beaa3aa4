import type { OperatorRole } from '../domains/partners/people/people.ts';
import type { Steps } from '../platform/audit/action-keys.ts';
import type { Author } from '../platform/audit/audit-log.ts';
import { Refused } from '../platform/contract/refused.ts';
import type { Base } from '../worlds/base.ts';

/**
 * Who does something: an operator at the command line, a member in the panel, or an API key. What several of them can do is
 * a function in this folder that takes an actor: one change with its entry in the audit log (`src/platform/audit/audit-log.ts`).
 */
export interface Actor extends Author, Pick<Base, 'clock' | 'vault' | 'guard' | 'mail'> {
  /** The only partner a member or a key can see; undefined for an operator, who sees them all. */
  readonly confinedTo: number | undefined;
}

/** An API key that changes something of its partner's. The log names it by its number. */
export const keyActor = (
  { db, clock, vault, guard, mail }: Base,
  { keyId, partnerId }: { readonly keyId: number; readonly partnerId: number },
): Actor => ({ db, clock, vault, guard, mail, who: `key:${keyId}`, confinedTo: partnerId });

type NotFound =
  | 'member_not_found'
  | 'subscription_not_found'
  | 'key_not_found'
  | 'order_not_found'
  | 'help_request_not_found';

/** For a member, another partner's rows are answered as not found, like an id that was never issued. */
export function requireMine<T extends { readonly partnerId: number }>(actor: Actor, found: T, refusal: NotFound): T {
  if (actor.confinedTo !== undefined && found.partnerId !== actor.confinedTo) throw new Refused(refusal);
  return found;
}

/** An operator who runs an action, with everything it may need. */
export interface OperatorContext extends Base {
  /** Who the audit log names: the login at the command line, `operator:EMAIL` in the console. */
  readonly who: string;
  readonly approvedBy?: string;
  readonly confinedTo: undefined;
  /** Of the operator, in the console; the command line has none. */
  readonly operatorId?: number;
  /** The operator's permissions. At the command line everything is allowed. */
  readonly role?: OperatorRole;
  /** Of an action with a key: its changes. */
  readonly steps?: Steps | undefined;
  /** In the console, where the name of a file would be that of one on the server. */
  readonly withoutFiles?: true;
  progress(label: string, done: number, total: number): void;
}
