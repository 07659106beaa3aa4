import type { Mode } from '../accounts/accounts.ts';
import type { Tx } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import {
  changeSubscription,
  checkEvents,
  checkUrl,
  createSubscription,
  deleteSubscription,
  findSubscription,
  finishRotation,
  maskSecret,
  pauseSubscription,
  requeueDelivery,
  resumeSubscription,
  rotateSecret,
  type Subscription,
} from '../webhooks/webhooks.ts';
import { type Actor, mine } from './actor.ts';
import { audit } from './audit-log.ts';

export interface WantedSubscription {
  readonly partnerId: number;
  readonly mode: Mode;
  readonly url: string;
  /** None: all. */
  readonly events: readonly string[];
}

/** The signing secret is in the answer and nowhere else. */
export async function subscribe(
  actor: Actor,
  { partnerId, mode, ...wanted }: WantedSubscription,
): Promise<{ subscription: Subscription; secret: string }> {
  const events = checkEvents(wanted.events);
  const url = await checkUrl(actor.guard, wanted.url);
  return inWorld(actor, mode, async (tx, now) => {
    const after = { partnerId, url, events };
    const { subscriptionId, secret } = await createSubscription(tx, actor.vault, after, now);
    const target = `subscription ${subscriptionId}`;
    await audit(tx, { who: actor.who, what: 'webhook create', target, after: { mode, ...after } });
    return { subscription: await findSubscription(tx, subscriptionId), secret };
  });
}

/** Where it goes and what it hears; its mode never changes. */
export async function redirect(
  actor: Actor,
  mode: Mode,
  id: bigint,
  change: { readonly url?: string | undefined; readonly events?: readonly string[] | undefined },
): Promise<Subscription> {
  const wanted = {
    ...(change.events !== undefined && { events: checkEvents(change.events) }),
    ...(change.url !== undefined && { url: await checkUrl(actor.guard, change.url) }),
  };
  return changed(actor, 'webhook set', mode, id, (tx, now) => changeSubscription(tx, id, wanted, now));
}

export const pause = (actor: Actor, mode: Mode, id: bigint): Promise<Subscription> =>
  changed(actor, 'webhook pause', mode, id, (tx, now) => pauseSubscription(tx, id, now));

/** What was held meanwhile is sent or discarded. */
export const resume = (actor: Actor, mode: Mode, id: bigint, held?: 'send' | 'discard'): Promise<Subscription> =>
  changed(actor, 'webhook resume', mode, id, (tx, now) => resumeSubscription(tx, id, now, held));

/** Ends the time in which the old secret still signs. */
export const finishRotating = (actor: Actor, mode: Mode, id: bigint): Promise<Subscription> =>
  changed(actor, 'webhook rotate finish', mode, id, (tx, now) => finishRotation(tx, id, now));

export function rotate(
  actor: Actor,
  mode: Mode,
  id: bigint,
  atOnce = false,
): Promise<{ subscription: Subscription; secret: string }> {
  return inWorld(actor, mode, async (tx, now) => {
    await found(tx, actor, id);
    const { secret } = await rotateSecret(tx, actor.vault, id, now, atOnce);
    const target = `subscription ${id}`;
    await audit(tx, { who: actor.who, what: 'webhook rotate', target, ...(atOnce && { after: { at_once: true } }) });
    return { subscription: await findSubscription(tx, id), secret };
  });
}

/** What still waits for it is given up by the job that looks for it every minute. */
export function unsubscribe(actor: Actor, mode: Mode, id: bigint): Promise<void> {
  return inWorld(actor, mode, async (tx, now) => {
    await found(tx, actor, id);
    await deleteSubscription(tx, actor.vault, id, now);
    await audit(tx, { who: actor.who, what: 'webhook delete', target: `subscription ${id}` });
  });
}

export function requeue(actor: Actor, mode: Mode, deliveryId: bigint): Promise<void> {
  return inWorld(actor, mode, async (tx, now) => {
    await requeueDelivery(tx, deliveryId, now, actor.confinedTo);
    await audit(tx, { who: actor.who, what: 'webhook requeue', target: `delivery ${deliveryId}` });
  });
}

/** What is shown of a subscription, in the audit log too. */
export const shownSubscription = (mode: Mode, subscription: Subscription) => ({
  subscription_id: subscription.id,
  partner_id: subscription.partnerId,
  mode,
  url: subscription.url,
  secret_mask: maskSecret(subscription.secretLast4),
  events: subscription.events.join(','),
  status: subscription.status,
  rotation_ends_at: subscription.rotationEndsAt,
  fail_count: subscription.failCount,
  updated_at: subscription.updatedAt,
});

async function found(tx: Tx, actor: Actor, id: bigint): Promise<Subscription> {
  const subscription = await findSubscription(tx, id);
  mine(actor, { partner_id: subscription.partnerId }, 'subscription_not_found');
  return subscription;
}

/** Changes one subscription and records what it was before. */
function changed(
  actor: Actor,
  what: string,
  mode: Mode,
  id: bigint,
  work: (tx: Tx, now: number) => Promise<Subscription>,
): Promise<Subscription> {
  return inWorld(actor, mode, async (tx, now) => {
    const before = shownSubscription(mode, await found(tx, actor, id));
    const after = await work(tx, now);
    const target = `subscription ${id}`;
    await audit(tx, { who: actor.who, what, target, before, after: shownSubscription(mode, after) });
    return after;
  });
}

/** A transaction of the owner's in one world's tables, so that the change and its audit entry are one. */
function inWorld<T>({ db, clock }: Actor, mode: Mode, work: (tx: Tx, now: number) => Promise<T>): Promise<T> {
  return db.tx(async (tx) => {
    await tx.run(sql`set local search_path = ${raw(mode)}, shared`);
    return work(tx, clock.now());
  });
}
