import { openInbox } from '../../../actions/messages/subscriptions.ts';
import { inbox, type LoggedDelivery, type Subscription } from '../../../domains/messages/webhooks/webhooks.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { type MemberCall, memberChange, memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';

/** As many as a person reads. */
const SHOWN = 20;

/** The built-in receiver for an account's sandbox events (`domains/messages/webhooks/log/inbox.ts`), and what it received in the last hour. */
export const inboxActions = ({ worlds }: Base) => {
  const { webhooks } = worlds.sandbox;
  async function shown({ member, now }: MemberCall, open: Subscription) {
    const { partnerId, aheadMs } = member;
    // Events are dated by the account's clock.
    const from = new Date(now + aheadMs - inbox.openMs);
    const filter = { subscriptionId: open.id, from, status: undefined, event: undefined, limit: SHOWN };
    const found = await webhooks.deliveries(partnerId, filter);
    const [latest] = found;
    const body = latest && (await webhooks.delivery(partnerId, latest.id))?.payload;
    return { inbox: view(open, found, body ?? null) };
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
        return open ? shown(call, open) : { inbox: null };
      },
    }),
    memberChange('/api/sandbox/inbox', {
      may: 'develop',
      // An event can have activation data in it, so it is not kept with the change: a repeat reads the inbox again.
      handle: async (call) => ({
        body: await shown(call, await openInbox(call.actor, 'sandbox', call.member.partnerId)),
        kept: 'nothing' as const,
      }),
    }),
  ];
};

const view = ({ id, updatedAt }: Subscription, found: readonly LoggedDelivery[], body: string | null) => ({
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
