import type { Actor } from '../../actions/actor.ts';
import type { PartnerView, Permission, Session } from '../../domains/partners/people/people.ts';
import type { TSchema } from '../../platform/contract/schema.ts';
import type { Call, JsonAction, SignedInAction } from '../site/json/action.ts';
import type { Fields } from './viewed.ts';

export interface MemberCall extends Call {
  readonly member: Session;
  /** The member as an actor, confined to their partner. */
  readonly actor: Actor;
  /** Set: not a member, but an operator who views the partner's panel and can change nothing. */
  readonly viewer?: PartnerView;
}

export interface MemberAction extends SignedInAction<MemberCall, Permission> {
  /** The fields, or columns of a file, that an operator sees when viewing the panel (`viewed.ts`). Without it they see nothing. */
  readonly viewed?: Fields;
}

export const memberAction = <B extends TSchema>(
  declared: JsonAction<MemberCall, B> & Pick<MemberAction, 'may' | 'fresh' | 'viewed'>,
): MemberAction => ({ ...declared, signedIn: true }) as unknown as MemberAction;
