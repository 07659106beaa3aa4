import type { Pool } from 'undici';
import { MINUTE, SECOND } from '../../../platform/clock.ts';
import { type Call, type Called, type CallLimits, call, type Failed, undici } from '../../../platform/http/call.ts';
import { acceptingInterim } from '../../../platform/http/interim-responses.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { OrderAnswer, Supplier, SupplierOrder } from '../port/port.ts';

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

/**
 * Our reference plus the time of payment, the same at every attempt. Two installations on one account, or one that started over
 * with an empty database, use the same order numbers; by the reference alone they would be handed each other's eSIMs.
 */
export function uniqueReference({ reference, paidAt }: Pick<SupplierOrder, 'reference' | 'paidAt'>): string {
  // The number of a later reference of the order stays at the end: wf-live-1042-1763175315-2.
  const [, order = reference, number = ''] = /^(.*?-\d+)(-\d+)$/.exec(reference) ?? [];
  return `${order}-${Math.floor(paidAt.getTime() / SECOND)}${number}`;
}

/** What is left of one time limit that several calls share. */
export interface Deadline {
  leftMs(): number;
}

/** Measured with a monotonic clock: turning the program's clock must not lengthen or end a wait. */
export function deadlineIn(limitMs: number): Deadline {
  const end = performance.now() + limitMs;
  return { leftMs: () => Math.max(0, end - performance.now()) };
}

/** The result of `promise`, or `late` if it takes longer than the limit. */
export async function within<T, L>(promise: Promise<T>, limitMs: number, late: L): Promise<T | L> {
  const { promise: over, resolve } = Promise.withResolvers<L>();
  const timer = setTimeout(resolve, limitMs, late);
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/** Waits for a turn. False: there is none within the limit, so the call must not be made. */
type Throttle = (limitMs: number) => Promise<boolean>;

/** At most `perSecond` turns in any second, first come, first served. */
export function throttle(perSecond: number): Throttle {
  let free = perSecond;
  const waiting = new Set<() => void>();

  function taken(): true {
    setTimeout(release, SECOND).unref();
    return true;
  }

  function release(): void {
    const [next] = waiting;
    if (!next) free += 1;
    else next();
  }

  return async (limitMs) => {
    if (free > 0) {
      free -= 1;
      return taken();
    }
    return new Promise((resolve) => {
      const turn = () => end(taken());
      const timer = setTimeout(() => end(false), limitMs);
      const end = (mine: boolean) => {
        clearTimeout(timer);
        waiting.delete(turn);
        resolve(mine);
      };
      waiting.add(turn);
    });
  };
}

const AGAIN_MS = 10 * MINUTE;
const MAX_REASONS = 100;

/**
 * Alerts the operator, and repeats an alert only after a while: otherwise every purchase would report that the credit has run out.
 */
export function openAlarm(
  supplier: string,
  message: string,
  { clock, log }: Pick<Services, 'clock' | 'log'>,
): (reason: string) => void {
  const loggedAt = new Map<string, number>();
  return (reason) => {
    const now = clock.now();
    if (now - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (loggedAt.size >= MAX_REASONS) loggedAt.clear();
    loggedAt.set(reason, now);
    log.error({ supplier, reason }, message);
  };
}
