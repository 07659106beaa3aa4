import type { Pool } from 'undici';
import type { Called, CallLimits, Failed } from '../../../platform/http/call.ts';
import { acceptingInterim } from '../../../platform/http/interim-responses.ts';
import { undici } from '../../../platform/http/undici.ts';
import type { OrderAnswer, Supplier } from '../port/port.ts';
import type { Deadline } from './deadline.ts';

/** One account at a supplier, with its connections. */
export interface Account {
  supplier(slug: string): Supplier;
  close(): Promise<void>;
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
export const noTurn: Failed = { failed: 'too many calls waiting', sent: false, answered: true };

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
