import type { Actor } from '../../actions/actor.ts';
import type { PartnerView, Permission, Session } from '../../domains/partners/people/people.ts';
import type { TSchema } from '../../platform/contract/schema.ts';
import type {
  BytesFile,
  Call,
  Done,
  JsonAction,
  SignedInAction,
  Typed,
  TypedBy,
  Written,
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
type Declared<B extends TSchema, V extends 'GET' | 'POST', P extends Path, D extends Done> = JsonAction<
  MemberCall,
  B,
  V,
  P,
  D
> &
  Pick<MemberAction, 'may' | 'fresh' | 'viewed'>;

export const memberAction = <B extends TSchema, V extends 'GET' | 'POST', P extends Path, D extends Done>(
  declared: Declared<B, V, P, D>,
): MemberAction & TypedBy<V, P, B, D> =>
  ({ ...declared, signedIn: true }) as unknown as MemberAction & TypedBy<V, P, B, D>;

export const memberChange = <B extends TSchema, P extends Path, D extends Done>(
  path: P,
  declared: Omit<Declared<B, 'POST', P, D>, 'verb' | 'path' | 'viewed'>,
) => memberAction<B, 'POST', P, D>({ verb: 'POST', path, ...declared } as Declared<B, 'POST', P, D>);

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
