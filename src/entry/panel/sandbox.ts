import { openInbox } from '../../actions/messages/subscriptions.ts';
import { turnClock, turnClockBack } from '../../actions/system/test-clock.ts';
import { inbox, type LoggedDelivery, type Subscription } from '../../domains/messages/webhooks/webhooks.ts';
import type { Kept } from '../../platform/audit/action-keys.ts';
import { DAY, HOUR, MINUTE, readDuration, SECOND } from '../../platform/clock.ts';
import { SANDBOX_KEY } from '../../platform/contract/ids.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { Type } from '../../platform/contract/schema.ts';
import { LargeBody } from '../../platform/http/large-body.ts';
import type { Base } from '../../worlds/base.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { Answered, AnswerParts } from '../api/gates/answer.ts';
import { callApi } from '../api/gates/inner-call.ts';
import { iso, jsonOf, shortText } from '../site/json/action.ts';
import { clockView } from '../site/views/records.ts';
import { fields, type MemberCall, memberChange, memberRead } from './member-action.ts';

/** An answer longer than this is cut: the page shows it to a person. */
const SHOWN_BYTES = 128 * 1024;
/** Well formed, with a checksum that no key has: what it gets is what every unknown key gets. */
const UNKNOWN_KEY = `esk_test_${'0'.repeat(40)}`;

const body = Type.Object(
  {
    key: shortText,
    path: Type.String({ maxLength: 60 }),
    param: Type.Optional(Type.String({ maxLength: 200 })),
    fields: Type.Record(Type.String({ maxLength: 60 }), shortText),
  },
  { additionalProperties: false },
);

/**
 * The reference's "try it": one call of the API in the sandbox, with a sandbox key that the member pastes. It passes the same gates
 * as a call from outside and counts towards the key's own limits. A key of another partner is answered like one that does not
 * exist, and a live key is not even looked up.
 */
export const tryActions = (parts: AnswerParts) => [
  memberChange('/api/sandbox/try', {
    may: 'develop',
    tier: 'read',
    body,
    async handle(call, { key, path, param, fields }) {
      if (!SANDBOX_KEY.test(key))
        throw new Refused('invalid_input', 'only sandbox keys can be tried here: they begin with esk_test_');
      const endpoint = parts.router.find(path).endpoint;
      if (endpoint?.path !== path) throw new Refused('invalid_input', 'there is no such endpoint');
      const known = await parts.ground.directory.find(key);
      const ownKey = known?.partnerId === call.member.partnerId ? key : UNKNOWN_KEY;
      const { address, now } = call;
      const answer = await callApi(parts, { mode: 'sandbox', key: ownKey, address, path, param, fields, now });
      return { body: { ...shown(answer), ms: parts.clock.now() - call.now }, kept: keptOf(endpoint) };
    },
  }),
];

/** Subscribing and rotating answer with a signing secret. */
function keptOf({ verb, permission }: Endpoint): Kept {
  if (verb === 'GET') return 'nothing';
  if (permission !== 'webhooks') return 'answer';
  return { shownOnce: 'the call was made, and its answer was shown once, because it can contain a signing secret' };
}

function shown({ status, headers, body }: Answered) {
  const bytes = body instanceof LargeBody ? body.beginning(SHOWN_BYTES) : Buffer.from(body);
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: bytes.subarray(0, SHOWN_BYTES).toString('utf8'),
    /** Only the beginning of the answer is shown. */
    is_cut: body.length > SHOWN_BYTES,
  };
}

const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

export const clockActions = [
  memberRead('/api/sandbox/clock', {
    may: 'see',
    viewed: {
      test_clock: fields('on', 'now', 'real', 'ahead_seconds'),
    },
    read: async ({ member, now }) => ({ test_clock: clockView(member.aheadMs, now) }),
  }),
  memberChange('/api/sandbox/clock/advance', {
    may: 'develop',
    body: Type.Object({ by: shortText }),
    async handle({ actor, member, now }, { by }) {
      const byMs = readDuration(by.trim(), units);
      if (byMs === undefined) throw new Refused('invalid_duration');
      const { ahead_seconds } = await turnClock(actor, member.partnerId, byMs);
      return { body: { test_clock: clockView(ahead_seconds * SECOND, now) } };
    },
  }),
  memberChange('/api/sandbox/clock/reset', {
    may: 'develop',
    async handle({ actor, member, now }) {
      await turnClockBack(actor, member.partnerId);
      return { body: { test_clock: clockView(0, now) } };
    },
  }),
];

/** As many as a person reads. */
const MESSAGES = 20;

/** The built-in receiver for an account's sandbox events (`domains/messages/webhooks/log/inbox.ts`), and what it received in the last hour. */
export const inboxActions = ({ worlds }: Base) => {
  const { webhooks } = worlds.sandbox;
  async function openView({ member, now }: MemberCall, open: Subscription) {
    const { partnerId, aheadMs } = member;
    // Events are dated by the account's clock.
    const from = new Date(now + aheadMs - inbox.openMs);
    const filter = { subscriptionId: open.id, from, status: undefined, event: undefined, limit: MESSAGES };
    const found = await webhooks.deliveries(partnerId, filter);
    const [latest] = found;
    const body = latest && (await webhooks.delivery(partnerId, latest.id))?.payload;
    return { inbox: inboxView(open, found, body ?? null) };
  }
  return [
    memberRead('/api/sandbox/inbox', {
      may: 'see',
      viewed: {
        inbox: { ...fields('id', 'closes_at'), messages: fields('id', 'event', 'order_id', 'sent_at', 'signature') },
      },
      async read(call) {
        const found = await webhooks.subscriptions(call.member.partnerId);
        const open = found.find(({ url }) => url === inbox.url);
        return open ? openView(call, open) : { inbox: null };
      },
    }),
    memberChange('/api/sandbox/inbox', {
      may: 'develop',
      // An event can have activation data in it, so it is not kept with the change: a repeat reads the inbox again.
      handle: async (call) => ({
        body: await openView(call, await openInbox(call.actor, 'sandbox', call.member.partnerId)),
        kept: 'nothing' as const,
      }),
    }),
  ];
};

const inboxView = ({ id, updatedAt }: Subscription, found: readonly LoggedDelivery[], body: string | null) => ({
  id: String(id),
  closes_at: iso(new Date(updatedAt.getTime() + inbox.openMs)),
  /** Newest first. */
  messages: found.map((one) => ({
    ...jsonOf(one, 'id', 'event', 'sentAt'),
    order_id: one.orderId === 0n ? null : String(one.orderId),
    /** What the inbox found when it checked it. Null: not delivered yet. */
    signature: one.httpStatus === null ? null : one.httpStatus === 200 ? ('valid' as const) : ('invalid' as const),
  })),
  /** The body of the newest, as it was signed. */
  latest_body: body,
});
