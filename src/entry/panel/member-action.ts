import type { Actor } from '../../actions/actor.ts';
import type { PartnerView, Permission, Session } from '../../domains/partners/people/people.ts';
import {
  actionsOf,
  type BytesFile,
  type Call,
  type SignedInAction,
  type Typed,
  type Written,
} from '../site/json/action.ts';
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

type Path = `/api/${string}`;

export const { action: memberAction, change: memberChange } = actionsOf<
  MemberCall,
  Path,
  Pick<MemberAction, 'may' | 'fresh' | 'viewed'>
>();

/** One that only reads. */
export const memberRead = <P extends Path, A extends object>(
  path: P,
  { read, ...rest }: Pick<MemberAction, 'may' | 'viewed'> & { read(call: MemberCall): Promise<A> },
) =>
  memberAction({
    verb: 'GET',
    path,
    ...rest,
    handle: async (call) => ({ body: { ...((await read(call)) as object) } }),
  }) as MemberAction & Typed<'GET', P, undefined, Written<A>>;

/** A file; `viewed` names its columns. */
export const memberFile = <P extends Path>(
  path: P,
  { file, ...rest }: Pick<MemberAction, 'may' | 'viewed'> & { file(call: MemberCall): Promise<Download> },
) => memberAction({ verb: 'GET', path, ...rest, handle: file });

/** A whole file. It must have nothing that operators who view the panel may not see, because they get it whole. */
export const memberBytes = <P extends Path>(
  path: P,
  { file, may }: Pick<MemberAction, 'may'> & { file(call: MemberCall): Promise<BytesFile> },
) => memberAction({ verb: 'GET', path, may, viewed: {}, handle: file });
