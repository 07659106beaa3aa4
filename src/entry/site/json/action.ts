import type { Kept } from '../../../platform/audit/action-keys.ts';
import { typedBigIdIn, typedSmallIdIn } from '../../../platform/contract/ids.ts';
import { type Snaked, snaked } from '../../../platform/contract/json.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type Static, type TSchema, Type } from '../../../platform/contract/schema.ts';
import type { SessionCookie } from './browser.ts';
import type { Download } from './csv.ts';

export type Done = Fields | Download | BytesFile;

/** A whole file, such as a PDF. */
export interface BytesFile {
  /** Letters, digits, dots and hyphens. */
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Its own fields and, if it opens or ends a session, the change to the cookie: the one it came with, unless another is named. */
interface Fields {
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * What is kept of it under the key of the change: `answer` by default; `nothing` if it changed nothing this time, or is read
   * again for a repeat. Answers that show what a step made are not kept anyway (`Recorded.shownOnce`).
   */
  readonly kept?: Kept;
  readonly session?: { readonly opened: string; readonly cookie?: SessionCookie } | 'ended';
}

export interface Call {
  readonly params: Readonly<Record<string, string>>;
  /** A field of the query string, '' when it was not sent; throws `Malformed` for one that is repeated or has a NUL in it. */
  readonly query: (name: string) => string;
  /** The client's address, behind trusted proxies, too. */
  readonly address: string;
  /** The browser's own name; '' if it sends none. */
  readonly userAgent: string;
  /** The session's token as sent; '' if there was none. */
  readonly token: string;
  /** Another cookie of ours; '' if it was not sent. */
  readonly cookie: (of: SessionCookie) => string;
  /** It may change something: neither GET nor HEAD. */
  readonly isChange: boolean;
  /** The key of a change, once it has been checked. */
  readonly key?: string;
  readonly now: number;
}

type Verb = 'GET' | 'POST';
type Path = `/api/${string}` | `/operator/api/${string}`;

/** One address of the panel's or the console's JSON API as a value; `json-api.ts` serves it. */
export interface JsonAction<
  C extends Call = Call,
  B extends TSchema = TSchema,
  V extends Verb = Verb,
  P extends Path = Path,
  D extends Done = Done,
> {
  readonly verb: V;
  readonly path: P;
  readonly body?: B;
  /** The longest body accepted; 16 KiB by default. */
  readonly maxBytes?: number;
  /**
   * The rate limit a member's POST counts towards: `money` by default, because it writes rows and makes every process forget its
   * keys. `none`: it has its own limit.
   */
  readonly tier?: 'money' | 'outbound' | 'read' | 'none';
  /** Why a POST of somebody signed in needs no key (`src/platform/audit/action-keys.ts`); every other is refused without one. */
  readonly keyless?: string;
  handle(call: C, body: Static<B>): Promise<D>;
}

/**
 * What an address takes and answers, so that the pages' calls are typed by its declaration (`CallsOf`). It is only a type: nothing is
 * stored under `call`.
 */
export interface Typed<V extends Verb = Verb, P extends Path = Path, Body = unknown, Answer = unknown> {
  readonly verb: V;
  readonly path: P;
  readonly call?: { readonly body: Body; readonly answer: Answer };
}

type TypedBy<V extends Verb, P extends Path, B extends TSchema, D extends Done> = Typed<V, P, BodyOf<B>, AnswerOf<D>>;
/** Undefined: it takes none. */
type BodyOf<B extends TSchema> = TSchema extends B ? undefined : Static<B>;
type AnswerOf<D extends Done> = D extends { readonly body: infer A } ? Written<A> : Download;

/** A value after its way through JSON, which has no bigints. */
export type Written<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date
    ? string
    : T extends bigint
      ? never
      : T extends object
        ? { [K in keyof T]: Written<T[K]> }
        : T;

/** By verb and path, what a page sends and what it gets: `'POST /api/members'`. */
export type CallsOf<D extends Typed> = {
  readonly [One in D as `${One['verb']} ${One['path']}`]: NonNullable<One['call']>;
};

/** For those who are signed in: members in the panel, operators in the console. */
export interface SignedInAction<C extends Call, P> extends JsonAction<C> {
  readonly signedIn: true;
  readonly may: P;
  /** Only within minutes after the person gave their password, and their second factor if they have one (`…/confirm`). */
  readonly fresh?: true;
}

/** What declares the actions of members, or of operators, who have more to say about them. */
export function actionsOf<C extends Call, At extends Path, More extends object>() {
  type Declared<B extends TSchema, V extends Verb, P extends At, D extends Done> = JsonAction<C, B, V, P, D> & More;
  const action = <B extends TSchema, V extends Verb, P extends At, D extends Done>(declared: Declared<B, V, P, D>) =>
    ({ ...declared, signedIn: true }) as unknown as JsonAction<C> & { readonly signedIn: true } & More &
      TypedBy<V, P, B, D>;
  const change = <B extends TSchema, P extends At, D extends Done>(
    path: P,
    declared: Omit<Declared<B, 'POST', P, D>, 'verb' | 'path'>,
  ) => action<B, 'POST', P, D>({ verb: 'POST', path, ...declared } as Declared<B, 'POST', P, D>);
  return { action, change };
}

/** One that members and operators have alike; each adds who may. */
export const jsonAction = <C extends Call, V extends Verb, P extends Path, B extends TSchema, D extends Done>(
  verb: V,
  path: P,
  declared: Omit<JsonAction<C, B, V, P, D>, 'verb' | 'path'> & { readonly fresh?: true },
) => ({ verb, path, ...declared }) as unknown as JsonAction<C> & { readonly fresh?: true } & TypedBy<V, P, B, D>;

/** For everybody: signing in and out. */
export interface OpenAction extends JsonAction {
  readonly signedIn: false;
}

export const openAction = <V extends Verb, P extends Path, B extends TSchema, D extends Done>(
  verb: V,
  path: P,
  declared: Omit<JsonAction<Call, B, V, P, D>, 'verb' | 'path'>,
): OpenAction & TypedBy<V, P, B, D> =>
  ({ verb, path, ...declared, signedIn: false }) as unknown as OpenAction & TypedBy<V, P, B, D>;

/** `live` or `sandbox` in a path; anything else is not found. */
export function requireMode({ params }: Call): Mode {
  if (params.mode === 'live' || params.mode === 'sandbox') return params.mode;
  throw new Refused('not_found', 'there is nothing at this address');
}

/** The id in a path. Text that cannot be an id becomes 0, which is never issued and so is not found. */
export const idOf = ({ params }: Call): number => typedSmallIdIn(params.id ?? '') ?? 0;
export const bigIdOf = ({ params }: Call): bigint => typedBigIdIn(params.id ?? '') ?? 0n;

/** Text of one form field, of a length that is safe to handle. */
export const shortText = Type.String({ maxLength: 1_000 });

/** A query, as long as browsers and proxies let one be. */
export const longText = Type.String({ maxLength: 8_000 });

/** ISO 8601 in UTC. */
export const iso = <T extends Date | null>(at: T) =>
  (at === null ? null : at.toISOString()) as T extends null ? null : string;

/** These fields of a record as a page gets them: under the names of JSON, times in ISO 8601, and large ids as text. */
export const jsonOf = <T extends object, const K extends keyof T & string>(of: T, ...names: readonly K[]) =>
  Object.fromEntries(
    Object.entries(snaked(of, ...names)).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : value,
    ]),
  ) as { readonly [Name in keyof Snaked<T, K>]: TextFor<Snaked<T, K>[Name]> };

type TextFor<V> = V extends Date | bigint ? string : V;
