import { type Mode, Refused } from '../accounts/accounts.ts';
import { timestamp } from '../clock.ts';
import type { Tx } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import {
  abandonHeld,
  changeSubscription,
  checkEvents,
  checkUrl,
  createGuard,
  createSubscription,
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  maskSecret,
  pauseSubscription,
  pruneBodies,
  replaceSecret,
  requeueDead,
  requeueDelivery,
  resumeSubscription,
  type Subscription,
} from '../webhooks/webhooks.ts';
import { audit } from './audit-log.ts';
import { command, type OperatorContext } from './command.ts';
import { bigId, choice, integer, required, text, time, UsageError } from './options.ts';

const subscriptionId = required(bigId('SUBSCRIPTION_ID', 'the subscription'));
const mode = choice(['live', 'sandbox'], 'which world it hears of');
const split = (list: string | undefined): string[] => (list ?? '').split(',').filter(Boolean);

const shown = (of: Mode, subscription: Subscription) => ({
  subscription_id: subscription.id,
  partner_id: subscription.partner_id,
  mode: of,
  url: subscription.url,
  secret_mask: maskSecret(subscription.secret_last4),
  events: subscription.events.join(','),
  status: subscription.status,
  fail_count: subscription.fail_count,
  updated_at: subscription.updated_at,
});

/** A transaction of the owner's in one world's tables, so that the change and its audit entry are one. */
function inWorld<T>({ db }: OperatorContext, world: Mode, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.tx(async (tx) => {
    await tx.run(sql`set local search_path = ${raw(world)}, shared`);
    return work(tx);
  });
}

/** Live ids are odd and sandbox ids even: a number alone says which world it is of. */
const worldOf = (id: bigint): Mode => (id % 2n === 1n ? 'live' : 'sandbox');

/** Changes one subscription and records what it was before. */
function change(
  context: OperatorContext,
  what: string,
  id: bigint,
  work: (tx: Tx, now: number) => Promise<Subscription>,
): Promise<unknown> {
  return inWorld(context, worldOf(id), async (tx) => {
    const before = shown(worldOf(id), await findSubscription(tx, id));
    const after = shown(worldOf(id), await work(tx, context.clock.now()));
    await audit(tx, { who: context.who, what, target: `subscription ${id}`, before, after });
    return after;
  });
}

const guardOf = ({ config }: OperatorContext) => createGuard({ trustedHosts: config.webhookTrustedHosts });

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
      const events = checkEvents(split(input.events));
      const url = await checkUrl(guardOf(context), input.url);
      return inWorld(context, input.mode, async (tx) => {
        const wanted = { partnerId: input.partner, url, events };
        const made = await createSubscription(tx, context.vault, wanted, context.clock.now());
        const target = `subscription ${made.subscription_id}`;
        await audit(tx, { who: context.who, what: 'webhook create', target, after: { mode: input.mode, ...wanted } });
        return made;
      });
    },
  }),
  command({
    path: ['webhook', 'list'],
    summary: 'Subscriptions of a partner, in both modes',
    options: { partner: required(integer('PARTNER_ID', 'whose subscriptions')) },
    async run({ worlds }, { partner }) {
      const of = async (world: Mode) =>
        (await listSubscriptions(worlds[world].db, partner)).map((subscription) => shown(world, subscription));
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
      const wanted = {
        ...(input.url !== undefined && { url: await checkUrl(guardOf(context), input.url) }),
        ...(input.events !== undefined && { events: checkEvents(split(input.events)) }),
      };
      return change(context, 'webhook set', input.id, (tx, now) => changeSubscription(tx, input.id, wanted, now));
    },
  }),
  command({
    path: ['webhook', 'rotate'],
    summary: 'Replace the signing secret; the old one signs beside it for 24 hours',
    args: { id: subscriptionId },
    async run(context, { id }) {
      return inWorld(context, worldOf(id), async (tx) => {
        const { secret } = await replaceSecret(tx, context.vault, id, context.clock.now());
        await audit(tx, { who: context.who, what: 'webhook rotate', target: `subscription ${id}` });
        return { subscription_id: id, secret };
      });
    },
  }),
  command({
    path: ['webhook', 'pause'],
    summary: 'Hold what comes for a subscription',
    args: { id: subscriptionId },
    run: (context, { id }) => change(context, 'webhook pause', id, (tx, now) => pauseSubscription(tx, id, now)),
  }),
  command({
    path: ['webhook', 'resume'],
    summary: 'Make a paused or disabled subscription active; what was held is sent',
    args: { id: subscriptionId },
    run: (context, { id }) => change(context, 'webhook resume', id, (tx, now) => resumeSubscription(tx, id, now)),
  }),
  command({
    path: ['webhook', 'delete'],
    summary: 'End a subscription; what still waits for it is given up',
    args: { id: subscriptionId },
    async run(context, { id }) {
      const { worlds, clock, who } = context;
      await inWorld(context, worldOf(id), async (tx) => {
        await deleteSubscription(tx, context.vault, id, clock.now());
        await audit(tx, { who, what: 'webhook delete', target: `subscription ${id}` });
      });
      const given = await untilNone(() => abandonHeld(worlds[worldOf(id)].db, clock.now()));
      return { subscription_id: id, deleted: true, deliveries_given_up: given };
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
      return id === undefined ? requeueAll(context, subscription ?? 0n, since) : requeueOne(context, id);
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

async function requeueOne(context: OperatorContext, id: bigint): Promise<unknown> {
  return inWorld(context, worldOf(id), async (tx) => {
    await requeueDelivery(tx, id, context.clock.now());
    await audit(tx, { who: context.who, what: 'webhook requeue', target: `delivery ${id}` });
    return { requeued: 1 };
  });
}

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
