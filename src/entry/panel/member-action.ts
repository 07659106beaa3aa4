import type { Actor } from '../../actions/actor.ts';
import type { PartnerView, Permission, Session } from '../../domains/partners/people/people.ts';
import type { TSchema } from '../../platform/contract/schema.ts';
import type { Call, JsonAction, SignedInAction } from '../site/json/action.ts';
import type { Download } from '../site/json/csv.ts';
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

type Declared<B extends TSchema> = JsonAction<MemberCall, B> & Pick<MemberAction, 'may' | 'fresh' | 'viewed'>;

export const memberAction = <B extends TSchema>(declared: Declared<B>): MemberAction =>
  ({ ...declared, signedIn: true }) as unknown as MemberAction;

export const memberChange = <B extends TSchema>(
  path: `/api/${string}`,
  declared: Omit<Declared<B>, 'verb' | 'path' | 'viewed'>,
): MemberAction => memberAction({ verb: 'POST', path, ...declared });

/** One that only reads. */
export const memberRead = (
  path: `/api/${string}`,
  { read, ...rest }: Pick<MemberAction, 'may' | 'viewed'> & { read(call: MemberCall): Promise<object> },
): MemberAction =>
  memberAction({ verb: 'GET', path, ...rest, handle: async (call) => ({ body: { ...(await read(call)) } }) });

/** A file; `viewed` names its columns. */
export const memberFile = (
  path: `/api/${string}`,
  { file, ...rest }: Pick<MemberAction, 'may' | 'viewed'> & { file(call: MemberCall): Promise<Download> },
): MemberAction => memberAction({ verb: 'GET', path, ...rest, handle: file });
