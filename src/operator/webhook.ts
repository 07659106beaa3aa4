import type { Mode } from '../accounts/accounts.ts';
import { audit } from '../actions/audit-log.ts';
import {
  finishRotating,
  pause,
  redirect,
  requeue,
  resume,
  rotate,
  shownSubscription,
  subscribe,
  unsubscribe,
} from '../actions/subscriptions.ts';
import { timestamp } from '../clock.ts';
import { Refused } from '../refused.ts';
import {
  abandonHeld,
  findSubscription,
  latestDeathFirst,
  listDeadLetters,
  pruneBodies,
  requeueDead,
  type Subscription,
} from '../webhooks/webhooks.ts';
import { command, type OperatorContext } from './command.ts';
import { bigId, choice, integer, required, text, time, toggle, UsageError } from './options.ts';

const subscriptionId = required(bigId('SUBSCRIPTION_ID', 'the subscription'));
const mode = choice(['live', 'sandbox'], 'which world it hears of');
const split = (list: string | undefined): string[] => (list ?? '').split(',').filter(Boolean);

/** Live ids are odd and sandbox ids even: a number alone says which world it is of. */
const worldOf = (id: bigint): Mode => (id % 2n === 1n ? 'live' : 'sandbox');
const shown = (subscription: Subscription) => shownSubscription(worldOf(subscription.id), subscription);

export const webhookCommands = [
  command({
    path: ['webhook', 'create'],
    summary: 'Subscribe a URL to events; the signing secret is shown this once',
    options: {
      partner: required(integer('PARTNER_ID', 'whose orders it hears of')),
      mode: required(mode),
      url: required(text('URL', 'a public https address')),
      events: text('EVENT,…', 'which events; none: all'),
    },
    async run(context, input) {
      const { partner: partnerId, mode: of, url } = input;
      const made = await subscribe(context, { partnerId, mode: of, url, events: split(input.events) });
      return { subscription_id: made.subscription.id, secret: made.secret };
    },
  }),
  command({
    path: ['webhook', 'list'],
    summary: 'Subscriptions of a partner, in both modes',
    options: { partner: required(integer('PARTNER_ID', 'whose subscriptions')) },
    async run({ worlds }, { partner }) {
      const of = async (world: Mode) =>
        (await worlds[world].webhooks.subscriptions(partner)).map((one) => shownSubscription(world, one));
      return [...(await of('live')), ...(await of('sandbox'))];
    },
  }),
  command({
    path: ['webhook', 'set'],
    summary: 'Change the URL or the events of a subscription; its mode never changes',
    args: { id: subscriptionId },
    options: { url: text('URL', 'a public https address'), events: text('EVENT,…', 'which events'), mode },
    async run(context, input) {
      if (input.mode !== undefined && input.mode !== worldOf(input.id)) throw new Refused('mode_immutable');
      const { id, url, events } = input;
      const wanted = { url, events: events === undefined ? undefined : split(events) };
      return shown(await redirect(context, worldOf(id), id, wanted));
    },
  }),
  command({
    path: ['webhook', 'rotate'],
    summary: 'Create a new signing secret, shown once; X-Signature keeps the old one until --finish or for 24 hours',
    args: { id: subscriptionId },
    options: {
      finish: toggle('the receiver knows the new secret: stop signing with the old one'),
      now: toggle('for a leaked secret: sign with the new one only, at once'),
    },
    async run(context, { id, finish, now }) {
      if (finish && now) throw new UsageError('--finish ends a rotation and --now starts one: choose one of them');
      if (finish) return shown(await finishRotating(context, worldOf(id), id));
      const { secret } = await rotate(context, worldOf(id), id, now);
      return { subscription_id: id, secret };
    },
  }),
  command({
    path: ['webhook', 'pause'],
    summary: 'Hold the deliveries of a subscription, for 7 days at most',
    args: { id: subscriptionId },
    run: async (context, { id }) => shown(await pause(context, worldOf(id), id)),
  }),
  command({
    path: ['webhook', 'resume'],
    summary: 'Make a paused or disabled subscription active; what was held is sent, the oldest first',
    args: { id: subscriptionId },
    options: { discard: toggle('drop what was held instead of sending it') },
    run: async (context, { id, discard }) =>
      shown(await resume(context, worldOf(id), id, discard ? 'discard' : 'send')),
  }),
  command({
    path: ['webhook', 'delete'],
    summary: 'End a subscription; what still waits for it is dropped',
    args: { id: subscriptionId },
    async run(context, { id }) {
      const { worlds, clock } = context;
      await unsubscribe(context, worldOf(id), id);
      const given = await untilNone(() => abandonHeld(worlds[worldOf(id)].db, clock.now()));
      return { subscription_id: id, deleted: true, deliveries_given_up: given };
    },
  }),
  command({
    path: ['webhook', 'dead'],
    summary: 'Dead letters of all partners in both modes, the latest first',
    options: {
      partner: integer('PARTNER_ID', 'whose'),
      mode: choice(['live', 'sandbox'], 'of which world'),
      limit: integer('N', 'how many, 50 by default'),
    },
    async run({ worlds }, { partner: partnerId, mode: only, limit = 50 }) {
      const of = async (mode: Mode) =>
        only === undefined || only === mode ? listDeadLetters(worlds[mode].db, { partnerId, limit }) : [];
      return [...(await of('live')), ...(await of('sandbox'))]
        .sort(latestDeathFirst)
        .slice(0, limit)
        .map((letter) => ({
          delivery_id: letter.deliveryId,
          partner_id: letter.partnerId,
          mode: worldOf(letter.deliveryId),
          subscription_id: letter.subscriptionId,
          url: letter.url,
          event_type: letter.event,
          event_id: letter.eventId,
          attempts: letter.attempts,
          http_code: letter.httpStatus,
          error: letter.error,
          died_at: letter.diedAt,
        }));
    },
  }),
  command({
    path: ['webhook', 'requeue'],
    summary: 'Send dead deliveries again: one, or all of a subscription',
    args: { id: bigId('DELIVERY_ID', 'the delivery') },
    options: {
      subscription: bigId('SUBSCRIPTION_ID', 'all dead deliveries of this one'),
      since: time('only those made since then'),
    },
    async run(context, { id, subscription, since }) {
      if ((id === undefined) === (subscription === undefined))
        throw new UsageError('either DELIVERY_ID or --subscription is needed');
      if (id === undefined) return requeueAll(context, subscription ?? 0n, since);
      await requeue(context, worldOf(id), id);
      return { requeued: 1 };
    },
  }),
  command({
    path: ['webhook', 'prune'],
    summary: 'Forget the bodies of deliveries made before a time; the log stays',
    options: { before: required(time('the oldest body to keep')) },
    async run({ db, worlds, who }, { before }) {
      const pruned = {
        live: await untilNone(() => pruneBodies(worlds.live.db, before)),
        sandbox: await untilNone(() => pruneBodies(worlds.sandbox.db, before)),
      };
      const target = `bodies before ${timestamp(before)}`;
      await db.tx((tx) => audit(tx, { who, what: 'webhook prune', target, after: pruned }));
      return { pruned: pruned.live + pruned.sandbox };
    },
  }),
];

async function requeueAll(context: OperatorContext, id: bigint, since: Date | undefined): Promise<unknown> {
  const { worlds, clock, db, who } = context;
  const world = worlds[worldOf(id)].db;
  await findSubscription(world, id);
  const from = since ?? new Date(0);
  const requeued = await untilNone(() => requeueDead(world, id, from, clock.now()));
  const after = { requeued, since: timestamp(from) };
  await db.tx((tx) => audit(tx, { who, what: 'webhook requeue', target: `subscription ${id}`, after }));
  return { requeued };
}

/** Runs small batches until one finds nothing; returns how many rows there were. */
async function untilNone(batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = await batch(); count > 0; count = await batch()) total += count;
  return total;
}
