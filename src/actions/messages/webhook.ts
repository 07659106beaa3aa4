import { contractEvents, eventNames } from '../../domains/messages/events/events.ts';
import {
  type DeadLetterSearch,
  latestDeathFirst,
  type Subscription,
  webhookLimits,
} from '../../domains/messages/webhooks/webhooks.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action } from '../action.ts';
import { bigId, choice, integer, invalid, required, text, the, time, toggle } from '../fields.ts';
import { subscriptionStatus } from '../system/status-words.ts';
import { prune, requeue, requeueMatching } from './deliveries.ts';
import {
  finishRotating,
  pause,
  redirect,
  resume,
  rotate,
  shownSubscription,
  subscribe,
  unsubscribe,
} from './subscriptions.ts';

const subscriptionId = required(bigId('SUBSCRIPTION_ID', 'the subscription'));
const mode = choice(['live', 'sandbox'], 'whether it receives live or sandbox events');
const split = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
const EVENTS = `comma separated; there are ${eventNames.join(', ')}`;

/** Live ids are odd and sandbox ids even, so the id alone tells the world. */
const worldOf = (id: bigint): Mode => (id % 2n === 1n ? 'live' : 'sandbox');
const shown = (subscription: Subscription) => shownSubscription(worldOf(subscription.id), subscription);
const worded = <S extends { readonly status: number }>(subscription: S) => ({
  ...subscription,
  status: subscriptionStatus(subscription.status),
});
/** What tells subscriptions apart and whether they work, in a table that fits a terminal; `--json` has the rest. */
const asRow = (subscription: ReturnType<typeof shown>) => ({
  ...snaked(subscription, 'subscription_id', 'mode'),
  status: subscriptionStatus(subscription.status),
  ...snaked(subscription, 'fail_count', 'url', 'events'),
});

export const webhookActions = [
  action({
    name: 'webhook create',
    console: { may: 'manage', fresh: true },
    summary: 'Subscribe a URL to events; the signing secret is shown only once',
    options: {
      partner: required(integer('PARTNER_ID', 'the partner whose events it receives')),
      mode: required(mode),
      url: required(text('URL', 'a public https address')),
      events: text('EVENT,…', `which events, ${EVENTS}; by default ${contractEvents.join(', ')}`),
    },
    async run(context, input) {
      const { partner: partnerId, mode: of, url } = input;
      const made = await subscribe(context, { partnerId, mode: of, url, events: split(input.events) });
      return { subscription_id: made.subscription.id, secret: made.secret };
    },
  }),
  action({
    name: 'webhook list',
    console: 'shown',
    summary: 'List the subscriptions of a partner, live and sandbox',
    options: { partner: required(integer('PARTNER_ID', 'the partner')) },
    async run({ worlds }, { partner }) {
      const of = async (world: Mode) =>
        (await worlds[world].webhooks.subscriptions(partner)).map((one) => shownSubscription(world, one));
      return [...(await of('live')), ...(await of('sandbox'))];
    },
    text: (subscriptions: ReturnType<typeof shown>[]) => subscriptions.map(asRow),
  }),
  action({
    name: 'webhook set',
    console: { may: 'manage', fresh: true },
    summary: 'Change the URL or the events of a subscription; its mode never changes',
    args: { id: subscriptionId },
    options: {
      url: text('URL', 'a public https address'),
      events: text('EVENT,…', `which events, ${EVENTS}`),
      mode: choice(['live', 'sandbox'], 'must equal the current mode: it cannot be changed'),
    },
    async run(context, input) {
      if (input.mode !== undefined && input.mode !== worldOf(input.id)) throw new Refused('mode_immutable');
      const { id, url, events } = input;
      const wanted = { url, events: events === undefined ? undefined : split(events) };
      return shown(await redirect(context, worldOf(id), id, wanted));
    },
    text: worded,
  }),
  action({
    name: 'webhook rotate',
    console: { may: 'manage', fresh: true },
    summary:
      'Create a new signing secret, shown only once; X-Signature uses the old one until --finish, or for 24 hours',
    args: { id: subscriptionId },
    options: {
      finish: toggle('when the receiver has the new secret: stop signing with the old one'),
      now: toggle('for a leaked secret: sign with the new one only, at once'),
    },
    async run(context, { id, finish, now }) {
      if (finish && now)
        throw invalid`${the('finish')} ends a rotation and ${the('now')} starts one: choose one of them`;
      if (finish) return shown(await finishRotating(context, worldOf(id), id));
      const { secret } = await rotate(context, worldOf(id), id, now);
      return { subscription_id: id, secret };
    },
    text: (result) => ('secret' in result ? result : worded(result)),
  }),
  action({
    name: 'webhook pause',
    console: { may: 'support' },
    summary: 'Pause a subscription: its deliveries are held, each for 7 days at most',
    args: { id: subscriptionId },
    run: async (context, { id }) => shown(await pause(context, worldOf(id), id)),
    text: worded,
  }),
  action({
    name: 'webhook resume',
    console: { may: 'support' },
    summary: 'Make a paused or disabled subscription active again and send its held deliveries, oldest first',
    args: { id: subscriptionId },
    options: { discard: toggle('discard held deliveries instead of sending them') },
    run: async (context, { id, discard }) =>
      shown(await resume(context, worldOf(id), id, discard ? 'discard' : 'send')),
    text: worded,
  }),
  action({
    name: 'webhook delete',
    console: { may: 'support', fresh: true },
    summary: 'Delete a subscription and discard its waiting deliveries',
    args: { id: subscriptionId },
    async run(context, { id }) {
      const { worlds, clock } = context;
      await unsubscribe(context, worldOf(id), id);
      const abandoned = await untilNone(() => worlds[worldOf(id)].webhooks.all.abandonHeld(clock.now()));
      return { subscription_id: id, deleted: true, deliveries_given_up: abandoned };
    },
  }),
  action({
    name: 'webhook dead',
    console: 'shown',
    summary: 'List dead deliveries (given up after the last attempt), latest first',
    options: {
      partner: integer('PARTNER_ID', 'only of this partner'),
      mode: choice(['live', 'sandbox'], 'only live or only sandbox ones; by default both'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    async run({ worlds }, { partner: partnerId, mode: only, limit = 50 }) {
      const of = async (mode: Mode) =>
        only === undefined || only === mode ? worlds[mode].webhooks.all.dead({ partnerId, limit }) : [];
      return [...(await of('live')), ...(await of('sandbox'))]
        .sort(latestDeathFirst)
        .slice(0, limit)
        .map((letter) => ({
          ...snaked(letter, 'deliveryId', 'partnerId'),
          mode: worldOf(letter.deliveryId),
          ...snaked(letter, 'subscriptionId', 'url'),
          event_type: letter.event,
          ...snaked(letter, 'eventId', 'attempts'),
          http_code: letter.httpStatus,
          ...snaked(letter, 'error', 'diedAt'),
        }));
    },
  }),
  action({
    name: 'webhook requeue',
    console: { may: 'support' },
    summary: `Send dead deliveries again: one, all of a subscription, or up to ${webhookLimits.requeued} that match, live or sandbox`,
    args: { id: bigId('DELIVERY_ID', 'the delivery; not with --subscription or --mode') },
    options: {
      subscription: bigId('SUBSCRIPTION_ID', 'all dead deliveries of this subscription'),
      since: time('with --subscription: only those created since then'),
      mode: choice(['live', 'sandbox'], 'dead deliveries of all partners, live or sandbox'),
      partner: integer('PARTNER_ID', 'with --mode: only of this partner'),
      receiver: text('HOST', 'with --mode: only those sent to this host, with its port if the address has one'),
      event: choice(eventNames, 'with --mode: only of this event'),
      from: time('with --mode: only those given up at this time or later'),
      until: time('with --mode: only those given up before this time'),
    },
    async run(context, { id, subscription, since, mode: of, partner, ...more }) {
      const wanted: DeadLetterSearch = { partnerId: partner, ...more };
      if ([id, subscription, of].filter((one) => one !== undefined).length !== 1)
        throw invalid`give one of ${the('id')}, ${the('subscription')} and ${the('mode')}`;
      if (subscription === undefined && since !== undefined)
        throw invalid`${the('since')} needs ${the('subscription')}`;
      if (of === undefined && Object.values(wanted).some((value) => value !== undefined))
        throw invalid`${the('partner')}, ${the('receiver')}, ${the('event')}, ${the('from')} and ${the('until')} need ${the('mode')}`;
      if (of !== undefined) return requeueMatching(context, of, wanted);
      if (subscription !== undefined) {
        const search = { subscriptionId: subscription, since };
        return { requeued: (await requeueMatching(context, worldOf(subscription), search)).requeued };
      }
      if (id !== undefined) await requeue(context, worldOf(id), id);
      return { requeued: 1 };
    },
  }),
  action({
    name: 'webhook prune',
    console: { may: 'manage' },
    summary: 'Delete the bodies of deliveries created before a time; the log keeps the rest',
    options: { before: required(time('bodies created before this are deleted')) },
    async run(context, { before }) {
      return { pruned: (await prune(context, 'live', before)) + (await prune(context, 'sandbox', before)) };
    },
  }),
];

/** Runs small batches until one finds nothing, and returns the total number of rows. */
async function untilNone(batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = await batch(); count > 0; count = await batch()) total += count;
  return total;
}
