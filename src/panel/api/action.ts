import { type Static, type TSchema, Type } from 'typebox';
import type { Mode, Session } from '../../accounts/accounts.ts';
import type { Actor } from '../../actions/actor.ts';
import { Refused } from '../../refused.ts';

/** What an action answers: its own fields, and what becomes of the session's cookie where that changes. */
export interface Done {
  readonly body: Readonly<Record<string, unknown>>;
  readonly session?: { readonly opened: string } | 'ended';
}

export interface Call {
  readonly params: Readonly<Record<string, string>>;
  /** Where the request really comes from. */
  readonly address: string;
  /** The session's token as it was sent; '' when there was none. */
  readonly token: string;
  readonly now: number;
}

export interface MemberCall extends Call {
  readonly member: Session;
  /** The member as who she is to the actions: confined to her partner. */
  readonly actor: Actor;
}

/** One address of the panel's JSON API, as a value; `panel-api.ts` answers it. */
export interface PanelAction<C extends Call = Call, B extends TSchema = TSchema> {
  readonly verb: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  /** What a POST must carry. */
  readonly body?: B;
  /**
   * The limit of the API a member's POST counts towards: `money` unless said otherwise, because it writes rows and makes every
   * process forget what it knows of keys. `none`: it has a limit of its own.
   */
  readonly tier?: 'money' | 'outbound' | 'none';
  handle(call: C, body: Static<B>): Promise<Done>;
}

/** Only for who is signed in. */
export interface MemberAction extends PanelAction<MemberCall> {
  readonly signedIn: true;
}
/** For anyone: the ways in and out. */
export interface OpenAction extends PanelAction {
  readonly signedIn: false;
}

export const memberAction = <B extends TSchema>(declared: PanelAction<MemberCall, B>): MemberAction =>
  ({ ...declared, signedIn: true }) as unknown as MemberAction;
export const openAction = <B extends TSchema>(declared: PanelAction<Call, B>): OpenAction =>
  ({ ...declared, signedIn: false }) as unknown as OpenAction;

/** `live` or `sandbox` in a path; anything else leads nowhere. */
export function modeOf({ params }: Call): Mode {
  if (params.mode === 'live' || params.mode === 'sandbox') return params.mode;
  throw new Refused('not_found', 'there is nothing at this address');
}

/** The id in a path. No id that was ever given out is 0, so what is no number finds nothing. */
export const idOf = ({ params }: Call): number => (/^\d{1,9}$/.test(params.id ?? '') ? Number(params.id) : 0);
export const bigIdOf = ({ params }: Call): bigint =>
  /^\d{1,18}$/.test(params.id ?? '') ? BigInt(params.id ?? '') : 0n;

/** Text of a form, within reason. */
export const shortText = Type.String({ maxLength: 1_000 });

/** ISO 8601 in UTC. */
export const iso = <T extends Date | null>(at: T) =>
  (at === null ? null : at.toISOString()) as T extends null ? null : string;
