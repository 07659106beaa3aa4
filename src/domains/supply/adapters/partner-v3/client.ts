import { setTimeout as wait } from 'node:timers/promises';
import { Wayfare, WayfareConnectionError, WayfareError } from '../../../../../sdk/src/wayfare.ts';
import { SECOND } from '../../../../platform/clock.ts';
import { bigIdIn } from '../../../../platform/contract/ids.ts';
import { type CallLimits, call, type Failed } from '../../../../platform/http/call.ts';
import type { BalanceAnswer } from '../../port/port.ts';
import { basePathOf, type Deadline, deadlineIn, openPool, reasonOf } from '../connection.ts';
import { numberOf, objectOf, signedMicros, textOf } from '../loose.ts';
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
class NoAnswer extends Error {
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

/** What our account there can still spend: its wallet, or on invoice terms what is left of its credit line. */
export async function readBalance(client: PartnerClient, deadline: Deadline): Promise<BalanceAnswer> {
  const wayfare = client.within(deadline);
  try {
    const [wallet, terms] = await Promise.all([wayfare.account.balance(), creditLeft()]);
    const left = terms ?? numberOf(objectOf(wallet).balance);
    if (left === null) return { outcome: 'unavailable', reason: 'no balance in the answer' };
    return { outcome: 'balance', balance: signedMicros(left) };
  } catch (thrown) {
    return { outcome: 'unavailable', reason: troubleText(troubleOf(thrown)) };
  }

  /** Undefined: the account is prepaid. An account that was never opened is, too. */
  async function creditLeft(): Promise<number | undefined> {
    const statement = await wayfare.account.statement({ limit: 1 }).catch((thrown: unknown) => {
      const trouble = troubleOf(thrown);
      if ('code' in trouble && trouble.status === 404) return {};
      throw thrown;
    });
    const { billing_mode, available } = objectOf(statement);
    return textOf(billing_mode) === 'postpaid' ? (numberOf(available) ?? undefined) : undefined;
  }
}

/** Why a call got no answer, or a refusal. */
type Trouble =
  /** The service refused it with a code of the contract. */
  { readonly code: string; readonly status: number; readonly orderId: string | null } | Failed;

/** Reads what the SDK threw. Text from the other side does not go into our log: codes are words of the contract. */
export function troubleOf(thrown: unknown): Trouble {
  if (thrown instanceof WayfareError) {
    const code = /^[a-z0-9_]{1,60}$/.test(thrown.code) ? thrown.code : 'an unknown code';
    const { order_id } = thrown.body as { order_id?: unknown };
    const orderId = bigIdIn(String(order_id))?.toString() ?? null;
    return { code, status: thrown.httpStatus, orderId };
  }
  if (thrown instanceof WayfareConnectionError) {
    if (thrown.cause instanceof NoAnswer) return thrown.cause.failed;
    if (thrown.httpStatus !== undefined) return { failed: `HTTP ${thrown.httpStatus}`, sent: true, answered: true };
    return { failed: 'time-out', sent: true };
  }
  return { failed: 'an unreadable answer', sent: true, answered: true };
}

export const troubleText = (trouble: Trouble): string => ('failed' in trouble ? trouble.failed : trouble.code);

export type Refusal =
  | { readonly outcome: 'refused' | 'unavailable' | 'unknown'; readonly reason: string; readonly silent?: true }
  /** Our account there cannot pay. What was sent is on record as failed, so its key is used up. */
  | { readonly outcome: 'no_credit'; readonly reason: string }
  /** Their charge stopped half-way: the order exists, and a person there has to repair it. */
  | { readonly outcome: 'stuck'; readonly reason: string; readonly orderId: string | null };

/** `mend`: the operator has to fix something; the order itself is fine. */
type Meaning = { readonly outcome: Refusal['outcome']; readonly reason: string; readonly mend?: true };

const mend = (reason: string): Meaning => ({ outcome: 'unavailable', reason, mend: true });
const refused = (reason: string): Meaning => ({ outcome: 'refused', reason });
const noCredit: Meaning = { outcome: 'no_credit', reason: 'our account there cannot pay for it', mend: true };

const byCode: Readonly<Record<string, Meaning>> = {
  product_not_found: refused('the plan is not on sale there'),
  invalid_product: refused('no such plan'),
  invalid_price: refused('the plan has no price there'),
  invalid_partner_price: refused('the plan has no price there'),
  esim_not_found: refused('no such eSIM'),
  invalid_refill: refused('the plan cannot be added to this eSIM'),
  insufficient_balance: noCredit,
  credit_limit_exceeded: noCredit,
  credit_charge_failed: noCredit,
  partner_account_suspended: mend('our account there is suspended'),
  idempotency_key_conflict: mend('our reference belongs to another order there'),
  sale_insert_failed: { outcome: 'unavailable', reason: 'they could not record it' },
  charge_in_progress: { outcome: 'unknown', reason: 'they are still charging it' },
  charge_incomplete: {
    outcome: 'stuck',
    reason: 'their charge stopped half-way: somebody there has to repair it',
    mend: true,
  },
};

const byStatus: Readonly<Record<number, Meaning>> = {
  400: mend('they do not understand the request'),
  401: mend('our key is refused'),
  403: mend('our account or address is refused'),
  404: mend('there is no such endpoint: check the address'),
  405: mend('there is no such endpoint: check the address'),
  429: { outcome: 'unavailable', reason: 'too many calls' },
};

/** What a purchase without an order means. After anything the contract does not define, the order may exist. */
export function readRefusal(trouble: Trouble, alarm: (reason: string) => void): Refusal {
  if ('failed' in trouble) {
    const isRefusedUpFront = trouble.failed === 'HTTP 429';
    return { outcome: trouble.sent && !isRefusedUpFront ? 'unknown' : 'unavailable', ...reasonOf(trouble) };
  }
  const { code, status, orderId } = trouble;
  const meaning = byCode[code] ?? byStatus[status];
  if (!meaning) return { outcome: 'unknown', reason: `${status} ${code}` };
  const reason = `${status} ${code}: ${meaning.reason}`;
  if (meaning.mend) alarm(orderId === null ? reason : `${reason} (their order ${orderId})`);
  if (meaning.outcome === 'stuck') return { outcome: 'stuck', reason, orderId };
  return { outcome: meaning.outcome, reason };
}
