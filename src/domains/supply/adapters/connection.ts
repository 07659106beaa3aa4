import type { Pool } from 'undici';
import { type Call, type Called, type CallLimits, call, type Failed } from '../../../platform/http/call.ts';
import { acceptingInterim } from '../../../platform/http/interim-responses.ts';
import { undici } from '../../../platform/http/undici.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { OrderAnswer, Supplier } from '../port/port.ts';
import type { Deadline } from './deadline.ts';
import { throttle } from './throttle.ts';

/** One account at a supplier, with its connections. */
export interface Account {
  supplier(slug: string): Supplier;
  close(): Promise<void>;
}

/** What an account is opened with. */
export interface AccountParts extends Pick<Services, 'clock' | 'log'> {
  /** Calls of this process; undefined: as many as the supplier allows. */
  readonly perSecond?: number;
  /** As the log names the account. */
  readonly slug?: string;
}

/** The supplier's API: what is sent is JSON. */
export interface JsonClient {
  get(path: string, deadline: Deadline, limits?: CallLimits): Promise<Called>;
  post(path: string, payload: object, deadline: Deadline): Promise<Called>;
  close(): Promise<void>;
}

/** Connections to one supplier. Every call has its own limit, so they need no timers. */
export const openPool = ({ origin }: URL, more: Pool.Options = {}): Pool =>
  new (undici().Pool)(origin, {
    connect: acceptingInterim(),
    connections: 32,
    headersTimeout: 0,
    bodyTimeout: 0,
    ...more,
  });

/** The path that an API's own paths follow. */
export const basePathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '');

/** A call that had no turn in time is not sent. */
const noTurn: Failed = { failed: 'too many calls waiting', sent: false, answered: true };

/** Calls in JSON to one account, each in its turn (`perSecond`; undefined: any number) and within its deadline. */
export function openCalls({ url, perSecond }: { readonly url: URL; readonly perSecond?: number | undefined }) {
  const base = basePathOf(url);
  const pool = openPool(url);
  const nextTurn = perSecond === undefined ? undefined : throttle(perSecond);
  return {
    base,
    pool,
    /** `path` follows the base path. A function makes the call once it is its turn, as a signature with the time in it needs. */
    async send(
      wanted: Call | (() => Call),
      deadline: Deadline,
      limits?: CallLimits,
      through: Pool = pool,
    ): Promise<Called> {
      if (nextTurn && !(await nextTurn(deadline.leftMs()))) return noTurn;
      if (deadline.leftMs() === 0) return nextTurn ? noTurn : { failed: 'time-out', sent: false };
      const request = typeof wanted === 'function' ? wanted() : wanted;
      const type = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { accept: 'application/json', ...type, ...request.headers };
      return call(through, { ...request, path: base + request.path, headers }, deadline.leftMs(), limits);
    },
    close: () => pool.destroy(),
  };
}

export type Refusal = Extract<OrderAnswer, { outcome: 'refused' | 'unavailable' | 'unknown' }>;

/** What a code of theirs means. `mend`: the operator has to fix something; the order itself is fine. */
export type Meaning = Refusal & { readonly mend?: true };

/** `called`: what they call it. Text from the other side does not go into our log. */
export function refusalOf({ mend, ...refusal }: Meaning, called: string, alarm: (reason: string) => void): Refusal {
  const reason = `${called}: ${refusal.reason}`;
  if (mend) alarm(reason);
  return { ...refusal, reason };
}

/** Why a call got no result, in the words of the supplier port. */
export const reasonOf = ({ failed, answered }: Failed): { readonly reason: string; readonly silent?: true } =>
  answered ? { reason: failed } : { reason: failed, silent: true };
