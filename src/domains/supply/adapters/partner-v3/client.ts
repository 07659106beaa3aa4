import { setTimeout as wait } from 'node:timers/promises';
import { Wayfare } from '../../../../../sdk/src/wayfare.ts';
import { SECOND } from '../../../../platform/clock.ts';
import { type CallLimits, call, type Failed } from '../../../../platform/http/call.ts';
import { basePathOf, openPool } from '../connection.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import { type Offers, openOffers } from './offers.ts';

/*
 * The account at the other service, called through our own SDK. The SDK knows the contract: paths, forms, the envelope, typed
 * refusals, when a call may be repeated. Below it is the project's own `call`, which the SDK takes as its `fetch`: it knows whether
 * a request may have arrived, ends within its limit, and shows every exchange to the log of calls to suppliers.
 *
 * src/ imports the SDK's sources by its entry file, here and where webhooks are verified: it is one program, checked and started
 * together, and a package in node_modules would have to be built first.
 */

/** Their limits per minute are kept by tier, so a long list does not hold up purchases. */
type Tier = 'catalog' | 'read' | 'purchase' | 'money';

const tiers: readonly (readonly [RegExp, Tier])[] = [
  [/^(catalog\/|esim\/refills)/, 'catalog'],
  [/^purchase\/(buy|refill)/, 'purchase'],
  [/^(order\/refund|esim\/(suspend|resume))/, 'money'],
];

const tierOf = (path: string): Tier => tiers.find(([pattern]) => pattern.test(path))?.[1] ?? 'read';

interface Limits {
  /** Waits until a call of this tier may be made. False: not within the limit, so the call must not be made. */
  turn(tier: Tier, limitMs: number): Promise<boolean>;
  /** What came with an answer: the limit is a minute's, and a refused call says when to come again. */
  note(tier: Tier, status: number, header: (name: string) => string): void;
}

/** No answer makes us wait longer than a window of theirs, however large its figures. */
const LONGEST_MS = 60 * SECOND;

function openLimits(): Limits {
  const closed = new Map<Tier, Deadline>();
  const close = (tier: Tier, seconds: number) =>
    closed.set(tier, deadlineIn(Math.min(LONGEST_MS, Math.max(1, seconds) * SECOND)));

  return {
    async turn(tier, limitMs) {
      const limit = deadlineIn(limitMs);
      for (;;) {
        const waitMs = closed.get(tier)?.leftMs() ?? 0;
        if (waitMs === 0) return true;
        if (waitMs >= limit.leftMs()) return false;
        await wait(waitMs);
      }
    },
    note(tier, status, header) {
      const seconds = (name: string) => (/^\d{1,5}$/.test(header(name)) ? Number(header(name)) : undefined);
      if (status === 429) close(tier, seconds('retry-after') ?? seconds('x-ratelimit-reset') ?? 60);
      else if (seconds('x-ratelimit-remaining') === 0) close(tier, seconds('x-ratelimit-reset') ?? 60);
    },
  };
}

export interface PartnerClient {
  /** For one call about an order: nothing is repeated, because the caller decides what a failure means. */
  within(deadline: Deadline): Wayfare;
  /** For reading a list: calls are repeated as the contract allows, and wait for their turn. */
  patient(signal: AbortSignal): Wayfare;
  /** What the service offers beyond the contract. */
  offers(deadline: Deadline): Promise<Offers | Failed>;
  close(): Promise<void>;
}

/** Thrown instead of an answer; the SDK hands it on as the cause of its own error. */
export class NoAnswer extends Error {
  readonly failed: Failed;

  constructor(failed: Failed) {
    super(failed.failed);
    this.failed = failed;
  }
}

const MAX_BYTES = 1024 * 1024;
/** Every plan in one answer. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;
/** How long one answer of a list may take. */
const LIST_CALL_MS = 60_000;
/** The SDK's own limit is never the first to end a call: it cannot tell whether the request had left. */
const GRACE_MS = 5_000;

export function openClient({ url, key }: { readonly url: URL; readonly key: string }): PartnerClient {
  const base = basePathOf(url);
  const pool = openPool(url);
  const limits = openLimits();

  function fetchWithin(deadline: Deadline | undefined, more: CallLimits): typeof fetch {
    return async (input, { method, headers, body } = {}) => {
      const { pathname, search } = new URL(String(input));
      const tier = tierOf(pathname.slice(base.length + 1));
      const limit = deadline ?? deadlineIn(LIST_CALL_MS);
      if (!(await limits.turn(tier, deadline ? limit.leftMs() : Number.POSITIVE_INFINITY)))
        throw new NoAnswer({ failed: 'their limit of calls', sent: false, answered: true });
      if (limit.leftMs() === 0 && deadline) throw new NoAnswer({ failed: 'time-out', sent: false });
      const called = await call(
        pool,
        {
          method: method === 'POST' ? 'POST' : 'GET',
          path: `${pathname}${search}`,
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          },
          ...(body ? { body: String(body) } : {}),
        },
        deadline ? limit.leftMs() : LIST_CALL_MS,
        { ...more, withHeaders: true },
      );
      if ('failed' in called) throw new NoAnswer(called);
      const answered = new Headers();
      for (const [name, value] of Object.entries(called.headers ?? {})) answered.set(name, String(value));
      limits.note(tier, called.status, (name) => answered.get(name) ?? '');
      const hasNoBody = called.status === 204 || called.status === 205 || called.status === 304;
      return new Response(hasNoBody ? null : called.text, { status: called.status, headers: answered });
    };
  }

  const open = (settings: { fetch: typeof fetch; timeoutMs: number; maxRetries?: number }) =>
    new Wayfare({ key, baseUrl: url.href, ...settings });

  return {
    within: (deadline) =>
      open({
        fetch: fetchWithin(deadline, { maxBytes: MAX_BYTES }),
        timeoutMs: deadline.leftMs() + GRACE_MS,
        maxRetries: 0,
      }),
    patient: (signal) =>
      open({ fetch: fetchWithin(undefined, { maxBytes: MAX_LIST_BYTES, signal }), timeoutMs: 3 * LIST_CALL_MS }),
    offers: openOffers((deadline) =>
      call(pool, { method: 'GET', path: `${base}/openapi.json` }, deadline.leftMs(), { maxBytes: 16 * MAX_BYTES }),
    ),
    close: () => pool.destroy(),
  };
}
