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

/**
 * What an operator sees of a partner's panel. Each address names the fields of its answer, or the columns of its file, that it shows
 * them; everything else is blank, so a field that is added later is hidden until somebody has decided about it. `true` shows a value
 * or a list of values, never an object: the fields of an object are named, too. `values`: its names are data, and it has values only.
 */
export interface Fields {
  readonly [name: string]: true | 'values' | Fields;
}

/** `fields('id', 'state')`: these are values or lists of values. */
export const fields = <K extends string>(...names: readonly K[]): Readonly<Record<K, true>> =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<K, true>;

/** An answer with only these fields. */
export function onlyThese(value: unknown, field: Fields[string] | undefined): unknown {
  if (field === undefined) return blank(value);
  if (Array.isArray(value)) return value.map((one) => onlyThese(one, field));
  if (value === null || typeof value !== 'object') return field === true ? value : blank(value);
  if (field === true) return null;
  const of = (name: string) => (field === 'values' ? true : Object.hasOwn(field, name) ? field[name] : undefined);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, onlyThese(inner, of(name))]));
}

/** A page must be able to tell a blank text from a missing one. */
const blank = (value: unknown) => (typeof value === 'string' ? '' : Array.isArray(value) ? [] : null);

/** A file with only these columns. The name of a time zone follows that of its column. */
export function onlyTheseColumns({ header, rows, ...download }: Download, columns: Fields): Download {
  const isVisible = header.map((name) => Object.hasOwn(columns, name.split(' ')[0] ?? ''));
  async function* visible() {
    for await (const row of rows) yield row.map((cell, i) => (isVisible[i] ? cell : null));
  }
  return { ...download, header, rows: visible() };
}

export interface MemberCall extends Call {
  readonly member: Session;
  /** The member as an actor, confined to their partner. */
  readonly actor: Actor;
  /** Set: not a member, but an operator who views the partner's panel and can change nothing. */
  readonly viewer?: PartnerView;
}

export interface MemberAction extends SignedInAction<MemberCall, Permission> {
  /** The fields, or columns of a file, that an operator sees when viewing the panel. Without it they see nothing. */
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
