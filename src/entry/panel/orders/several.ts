import { once } from '../../../platform/audit/action-keys.ts';
import { SECOND } from '../../../platform/clock.ts';
import { type ErrorCode, errors } from '../../../platform/contract/errors.ts';
import { TooManyAttempts } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { Form } from '../../../platform/http/form.ts';
import { workOnAll } from '../../../platform/limits/turns.ts';
import type { AnswerParts } from '../../api/gates/answer.ts';
import { callAsMember } from '../../api/gates/inner-call.ts';
import { requireMode, shortText } from '../../site/json/action.ts';
import { type MemberCall, memberChange } from '../member-action.ts';
import { quotaOf } from '../members-only.ts';
import { callerOf, recordChange } from '../v3.ts';
import { permissionFor } from '../v3-permissions.ts';

/** As many as a page of a list has. */
const MOST = 100;
/** Each may ask a supplier. */
const AT_ONCE = 4;
/** No row is begun later: a page does not wait longer, and the rows it has not reached can be sent again. */
const LONGEST_MS = 20 * SECOND;
/** Rows of a member. They are counted apart from requests, of which a member has fewer than a page has rows. */
const PER_MINUTE = 200;

type Single = '/order/cancel' | '/order/refund' | '/esim/suspend' | '/esim/resume';

interface Done {
  readonly id: string;
  /** Of the cancellation, the refund or the eSIM. */
  readonly status: string;
  /** What a refund gave back. */
  readonly amount: string | null;
}

interface Unchanged {
  readonly id: string;
  readonly code: string;
  readonly why: string;
}

type Outcome = Done | Unchanged;
const isDone = (outcome: Outcome): outcome is Done => 'status' in outcome;

/**
 * What a member does to several orders or eSIMs with one request: each row is what the API's own endpoint does with one, with its
 * permission, its refusals and its entry in the audit log. Each has a key of its own, made of the request's: where a process was killed
 * half-way, a repeat finds what was done and goes on with the rest. A refused row stops no other.
 */
export const severalActions = (parts: AnswerParts) => {
  const several = Type.Array(shortText, { minItems: 1, maxItems: MOST });
  const reason = Type.Optional(shortText);
  return [
    memberChange('/api/{mode}/orders/cancel', {
      ...of('/order/cancel'),
      body: Type.Object({ orders: several }, { additionalProperties: false }),
      handle: (call, { orders }) => changeEach(parts, call, '/order/cancel', 'order_id', orders),
    }),
    memberChange('/api/{mode}/orders/refund', {
      ...of('/order/refund'),
      body: Type.Object({ orders: several, reason }, { additionalProperties: false }),
      handle: (call, { orders, reason = '' }) =>
        changeEach(parts, call, '/order/refund', 'order_id', orders, reason === '' ? {} : { reason }),
    }),
    ...(['suspend', 'resume'] as const).map((verb) =>
      memberChange(`/api/{mode}/esims/${verb}`, {
        ...of(`/esim/${verb}`),
        body: Type.Object({ esims: several }, { additionalProperties: false }),
        handle: (call, { esims }) => changeEach(parts, call, `/esim/${verb}`, 'iccid', esims),
      }),
    ),
  ];
};

/** Who may do it to one may do it to several. */
const of = (path: Single) => ({ may: permissionFor(path), tier: 'none' }) as const;

async function changeEach(
  parts: AnswerParts,
  call: MemberCall,
  path: Single,
  field: 'order_id' | 'iccid',
  given: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const ids = [...new Set(given)];
  const { limiter } = parts.ground;
  const verdict = await limiter.take(`rows:${call.member.memberId}`, 'money', PER_MINUTE, call.now, ids.length);
  if (!verdict.admitted) throw new TooManyAttempts(verdict.retryAfterSeconds);
  const mode = requireMode(call);
  const { actor, address, now } = call;
  const caller = callerOf(call, mode);

  /** A refused row gives its key back, so that a repeat tries it again. */
  const change = (id: string): Promise<Outcome> => {
    const fields = { [field]: id, ...more };
    const args = { mode, fields };
    const one = { scope: String(quotaOf(call)), key: `${call.key}/${id}`, action: path, args, isMoney: true };
    return once<Outcome>(
      actor,
      one,
      async (steps) => {
        const { status, body } = await callAsMember(parts, caller, { path, fields, address, now, verdict });
        const answer = JSON.parse(String(body));
        if (status >= 400) return unchanged(id, answer.error);
        await recordChange({ ...actor, steps }, mode, path, new Form(new URLSearchParams(fields).toString()));
        return done(id, answer);
      },
      (outcome) => (isDone(outcome) ? 'answer' : 'nothing'),
    );
  };

  const until = actor.clock.now() + LONGEST_MS;
  const outcomes: Outcome[] = [];
  const left = ids.entries();
  const worker = async () => {
    for (const [i, id] of left)
      outcomes[i] = actor.clock.now() < until ? await change(id) : { id, code: 'not_reached', why: NOT_REACHED };
  };
  await workOnAll(Array.from({ length: AT_ONCE }), worker);
  return { body: { done: outcomes.filter(isDone), refused: outcomes.flatMap((one) => (isDone(one) ? [] : one)) } };
}

const NOT_REACHED = 'The others took so long that this one was not begun. Send it again.';

const unchanged = (id: string, code: ErrorCode): Unchanged => ({
  id,
  code,
  why: errors[code].meaning.replaceAll('`', ''),
});

interface Answer {
  readonly cancel?: { readonly status: string };
  readonly refund?: { readonly status: string; readonly amount: string };
  readonly esim?: { readonly state: string };
}

const done = (id: string, { cancel, refund, esim }: Answer): Done => ({
  id,
  status: cancel?.status ?? refund?.status ?? esim?.state ?? '',
  amount: refund?.amount ?? null,
});
