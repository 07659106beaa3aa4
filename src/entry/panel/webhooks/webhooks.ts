import {
  finishRotating,
  pause,
  redirect,
  resume,
  rotate,
  subscribe,
  unsubscribe,
} from '../../../actions/messages/subscriptions.ts';
import { contractEvents, eventNames } from '../../../domains/messages/events/events.ts';
import { type Subscription, webhookLimits } from '../../../domains/messages/webhooks/webhooks.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, requireMode, shortText } from '../../site/json/action.ts';
import { eventsView, subscriptionView } from '../../site/views/records.ts';
import { fields, memberChange, memberRead } from '../member-action.ts';
import { SUBSCRIPTION_VIEWED } from './deliveries.ts';

const url = shortText;
const events = Type.Array(Type.String({ maxLength: 40 }), { maxItems: eventNames.length });

/** Webhook subscriptions of both worlds. A signing secret is shown once, when it is created. */
export const webhookActions = ({ worlds }: Base) => [
  memberRead('/api/{mode}/webhooks', {
    may: 'see',
    viewed: {
      ...fields('events', 'all_events', 'max'),
      subscriptions: SUBSCRIPTION_VIEWED,
    },
    async read(call) {
      const found = await worlds[requireMode(call)].webhooks.subscriptions(call.member.partnerId);
      return {
        subscriptions: found.map(subscriptionView),
        /** What a new subscription receives unless it chooses. */
        events: contractEvents,
        /** What it can choose from. */
        all_events: eventNames,
        max: webhookLimits.subscriptions,
      };
    },
  }),
  memberRead('/api/{mode}/webhook-events', {
    may: 'see',
    viewed: {
      events: fields('name', 'about', 'is_standard', 'sample'),
    },
    async read(call) {
      return eventsView(worlds[requireMode(call)].webhooks.events(call.now));
    },
  }),
  memberChange('/api/{mode}/webhooks', {
    may: 'develop',
    // Saving it looks up the address of its host.
    tier: 'outbound',
    body: Type.Object({ url, events }),
    async handle(call, wanted) {
      const { partnerId } = call.member;
      return shown(await subscribe(call.actor, { ...wanted, partnerId, mode: requireMode(call) }));
    },
  }),
  memberChange('/api/{mode}/webhooks/{id}', {
    may: 'develop',
    tier: 'outbound',
    body: Type.Object({ url: Type.Optional(url), events: Type.Optional(events) }),
    async handle(call, { url, events }) {
      return shown({ subscription: await redirect(call.actor, requireMode(call), bigIdOf(call), { url, events }) });
    },
  }),
  ...(['pause', 'resume', 'finish-rotation'] as const).map((name) =>
    memberChange(`/api/{mode}/webhooks/{id}/${name}`, {
      may: 'develop',
      handle: async (call) => shown({ subscription: await steps[name](call.actor, requireMode(call), bigIdOf(call)) }),
    }),
  ),
  memberChange('/api/{mode}/webhooks/{id}/rotate', {
    may: 'develop',
    handle: async (call) => shown(await rotate(call.actor, requireMode(call), bigIdOf(call))),
  }),
  memberChange('/api/{mode}/webhooks/{id}/delete', {
    may: 'develop',
    async handle(call) {
      await unsubscribe(call.actor, requireMode(call), bigIdOf(call));
      return { body: {} };
    },
  }),
];

const steps = { pause, resume, 'finish-rotation': finishRotating };

const shown = <More>({ subscription, ...more }: { subscription: Subscription } & More) => ({
  body: { subscription: subscriptionView(subscription), ...more },
});
