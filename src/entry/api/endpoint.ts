import type { Actor } from '../../actions/actor.ts';
import type { Catalog } from '../../domains/catalog/catalog.ts';
import type { Pricing } from '../../domains/catalog/prices/prices.ts';
import type { BindingLimit } from '../../domains/partners/limits/limits.ts';
import type { Wanted } from '../../domains/sales/purchase/purchase.ts';
import type { Routes } from '../../domains/supply/routes/routes.ts';
import type { Buyer } from '../../platform/audit/audit-log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { WorldCodes } from '../../platform/contract/codes.ts';
import type { ErrorCode, PlainErrorCode } from '../../platform/contract/errors.ts';
import type { Field, RawValue } from '../../platform/contract/fields.ts';
import type { KeyPermission, Tier } from '../../platform/contract/key-terms.ts';
import type { Static, TSchema } from '../../platform/contract/schema.ts';
import type { Budget } from '../../platform/limits/budget.ts';
import type { World } from '../../worlds/world.ts';
import type { PreparedAnswers, ReadyAnswers, ReadyReply } from './ready.ts';

/** What both worlds share. Everything that works on a world's own rows is reached through the world. */
export interface Services {
  readonly catalog: Catalog;
  readonly pricing: Pricing;
  readonly routes: Routes;
  readonly ready: ReadyAnswers;
  readonly prepared: PreparedAnswers;
  /** A key as somebody who makes changes, with the rules and the audit entries of the panel. */
  readonly actorOf: (key: { readonly keyId: number; readonly partnerId: number }) => Actor;
  /** The caller's next request sees what has just changed about its account, without waiting for the notification. */
  readonly forgetKeys: () => void;
}

/** What an endpoint knows of a request that has passed every gate. */
export interface Context extends Services {
  readonly world: World;
  readonly partnerId: number;
  /** Undefined: the caller is a member of the panel. */
  readonly keyId: number | undefined;
  readonly requestId: string;
  /** The account's time, in milliseconds since the epoch, read once per request. */
  readonly now: number;
  readonly clock: Clock;
  /** What bounds its purchases. */
  readonly limits: readonly BindingLimit[];
  /** The member who buys, for the audit log. */
  readonly buyer: Buyer | undefined;
  /** What tells a client in Airalo's form of what it buys, written with the order. */
  readonly notice?: Wanted['notice'];
  /** The request's time budget, for endpoints that have a better answer than 503 when it runs out. */
  readonly budget: Budget | undefined;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type Input<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** The value a schema describes, for reading only: a handler may answer with the domain's readonly lists. */
export type Described<R extends TSchema> = Frozen<Static<R>>;

/** What an endpoint answers, without the envelope: `ReplyOf<typeof balance>`. */
export type ReplyOf<E extends { readonly reply: TSchema }> = Described<E['reply']>;

/** A reply without the envelope; `status` when it is not 200. */
export interface Reply<Body = Readonly<Record<string, unknown>>> {
  readonly status?: 200 | 202 | 204;
  readonly body: Body;
  /** The order it is about, where its body does not name it as `order_id`. */
  readonly orderId?: number;
}

/** A file: its bytes as they are, without the envelope. */
export interface FileReply {
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
}

/** What `handle` gets besides its fields. */
export interface Given<Checked = unknown, Port = unknown, Body = Readonly<Record<string, unknown>>> {
  readonly param: string;
  readonly checked: Checked;
  /** What `needs` found. */
  readonly port: Port;
  readonly acceptEncoding: string | undefined;
  /** The envelope around a 200 answer, for a `ReadyReply`. */
  envelope(body: Body): string;
}

/** The last path segment where it names one thing: /order/detail/{id}. */
export interface PathParam {
  readonly name: string;
  readonly missing: PlainErrorCode;
  readonly schema: TSchema;
}

/**
 * One endpoint of the contract, as a value. It drives routing, 404/405, validation, the OpenAPI document, error simulation
 * and the contract test.
 */
export interface Endpoint<
  F extends Fields = Fields,
  Checked = unknown,
  Port = unknown,
  R extends TSchema = TSchema,
  Body = Readonly<Record<string, unknown>>,
> {
  /** Ends with the parameter, `/purchase/batch/{id}`, if the path without it is another endpoint. */
  readonly path: `/${string}/${string}`;
  readonly verb: 'GET' | 'POST';
  readonly tier: Tier;
  readonly summary: string;
  /** What the description says beyond the summary, in Markdown: what happens, and what to watch out for. */
  readonly about?: string;
  /** Not part of the contract: our own addition. */
  readonly isExtension?: true;
  /** What a restricted key must be allowed for it; `read` for every GET. */
  readonly permission?: KeyPermission;
  readonly param?: PathParam;
  readonly fields: F;
  /** How many calls a request counts as against the key's quota; one by default. */
  calls?(sent: { get(name: string): RawValue }): number;
  /** Codes `check` and `handle` can answer beyond those of the gates, the fields and the path parameter. */
  readonly errors: readonly ErrorCode[];
  /** Codes a sandbox key may ask for beyond the four every endpoint accepts; `errors` if it does not say. */
  readonly simulated: readonly ErrorCode[];
  /** The answer's own fields, without the envelope. */
  readonly reply: R;
  readonly statuses?: readonly (200 | 202)[];
  /** It answers with a file of this type instead of JSON. */
  readonly fileType?: 'application/pdf' | 'application/xml';
  /** Its answers carry an ETag, and `If-None-Match` is answered with 304. */
  readonly hasTag?: true;
  /**
   * The code when the database rejects a statement; without one it is 500 `internal_error`. If the database only takes too long,
   * just the code of a failed read is used; otherwise it is 503.
   */
  readonly storeFailure?: (codes: WorldCodes) => ErrorCode | undefined;
  /** The part of a world it depends on. A world without that part refuses the action before anything is read. */
  needs?(world: World): Port | undefined;
  /** Checks that come before a simulated error. An endpoint without them reads its fields after the simulation. */
  check?(context: Context, input: Input<F>, param: string): Checked | Promise<Checked>;
  /** It buys many at once, and its refusals are about all of them. */
  readonly isBatch?: true;
  /** Real values for a simulated error's extra fields. */
  simulatedExtra?(checked: Checked): Readonly<Record<string, unknown>>;
  handle(
    context: Context,
    input: Input<F>,
    given: Given<Checked, Port, Body>,
  ): Reply<Body> | ReadyReply | FileReply | Promise<Reply<Body> | ReadyReply | FileReply>;
}

/** The whole path: /order/detail/{id}. */
export const patternOf = ({ path, param }: Pick<Endpoint, 'path' | 'param'>): string =>
  !param || path.endsWith('}') ? path : `${path}/{${param.name}}`;

/** A POST says what a restricted key must be allowed for it. */
type Permitted =
  | { readonly verb: 'GET'; readonly permission?: never }
  | { readonly verb: 'POST'; readonly permission: Exclude<KeyPermission, 'read'> };

/** What most endpoints have none of. */
type Rare = 'fields' | 'errors' | 'simulated';

/** Declares an endpoint. A handler whose body does not match `reply` does not compile. */
export function endpoint<
  const F extends Fields,
  R extends TSchema,
  const Body extends Described<R> & Readonly<Record<string, unknown>>,
  Checked = undefined,
  Port = undefined,
>(
  declared: Omit<Endpoint<F, Checked, Port, R, Body>, Rare> &
    Partial<Pick<Endpoint<F, Checked, Port, R, Body>, Rare>> &
    Permitted,
): Endpoint<Fields, unknown, unknown, R> {
  const { errors = [] } = declared;
  return { fields: {}, errors, simulated: errors, ...declared } as Endpoint<Fields, unknown, unknown, R>;
}
