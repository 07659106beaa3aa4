import {
  type DeadLetterSearch,
  type ResendFilter,
  subscriptions,
  type Webhooks,
  webhookLimits,
} from '../../domains/messages/webhooks/webhooks.ts';
import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import type { Base } from '../../worlds/base.ts';
import { type Actor, requireMine } from '../actor.ts';

/** A member of a partner, where they act. */
export interface Place {
  readonly mode: Mode;
  readonly partnerId: number;
  readonly webhooks: Webhooks;
}

/** Sends one delivery again, whatever its outcome. `asOf`: when they were shown that outcome (see domains/messages/webhooks/log/resend.ts). */
export function resendOne(
  actor: Actor,
  { mode, partnerId, webhooks }: Place,
  id: bigint,
  asOf: Date,
): Promise<boolean> {
  return change(actor, 'webhook resend', async (tx) => {
    await enterSchema(tx, mode);
    const resent = await webhooks.resend(tx, partnerId, id, asOf, actor.clock.now());
    return { target: `delivery ${id}`, after: { resent }, result: resent > 0 };
  });
}

/** Resends all deliveries of a subscription that match the filter, or none; returns how many. */
export async function resendMatching(
  actor: Actor,
  { mode, partnerId, webhooks }: Place,
  filter: ResendFilter,
  asOf: Date,
): Promise<number> {
  const { subscriptionId, ...wanted } = filter;
  const ids = await webhooks.listResendable(partnerId, filter);
  return change(actor, 'webhook resend', async (tx) => {
    await enterSchema(tx, mode);
    requireMine(actor, await subscriptions.find(tx, subscriptionId), 'subscription_not_found');
    await requireOpenPartner(tx, partnerId);
    const resent = await webhooks.resend(tx, partnerId, ids, asOf, actor.clock.now());
    return { target: `subscription ${subscriptionId}`, after: { ...wanted, resent }, result: resent };
  });
}

/**
 * Sends an order's events again, except those about to be sent and those whose body was deleted; returns how many. What was sent
 * again since `asOf` is left out. The caller has made sure that the order is the partner's.
 */
export async function resendOrder(
  actor: Actor,
  { partnerId, webhooks, mode }: Place,
  orderId: bigint,
  { asOf, target }: { readonly asOf: Date | undefined; readonly target: string },
): Promise<number> {
  const ids = (await webhooks.all.deliveriesOfOrder(orderId)).map(({ id }) => id);
  return change(actor, 'order resend', async (tx) => {
    await enterSchema(tx, mode);
    const resent = await webhooks.resend(tx, partnerId, ids, asOf, actor.clock.now());
    return { target, partnerId, after: { resent }, result: resent };
  });
}

/** An operator gives a dead delivery five more attempts. */
export function requeue(actor: Operator, mode: Mode, id: bigint): Promise<void> {
  const { all } = actor.worlds[mode].webhooks;
  return change(actor, 'webhook requeue', async (tx) => {
    await enterSchema(tx, mode);
    const { status } = await all.requireResendable(tx, id);
    if (status !== 'dead') throw new Refused('delivery_not_dead', `the delivery is ${status}`);
    await all.requeue(tx, [id], undefined, actor.clock.now());
    return { target: `delivery ${id}`, result: undefined };
  });
}

/** Rows changed in one transaction, each with its entry in the audit log. */
const BATCH = 500;

type Operator = Actor & Pick<Base, 'worlds'>;

/**
 * An operator gives dead deliveries five more attempts: all of a subscription, or up to `webhookLimits.requeued` that match.
 * `left`: there are more. They are chosen on the world's own connection, whose planner reads indexes in their order.
 */
export async function requeueMatching(
  actor: Operator,
  mode: Mode,
  search: DeadLetterSearch,
): Promise<{ requeued: number; left: boolean }> {
  const { partnerId, subscriptionId, since, ...wanted } = search;
  const target = subscriptionId === undefined ? `dead letters in ${mode}` : `subscription ${subscriptionId}`;
  const most = subscriptionId === undefined ? webhookLimits.requeued : Number.POSITIVE_INFINITY;
  const { all } = actor.worlds[mode].webhooks;
  const owner = subscriptionId === undefined ? partnerId : (await all.subscription(subscriptionId)).partnerId;
  if (subscriptionId !== undefined) await requireOpenPartner(actor.db, owner ?? 0);
  const meant = { mode, ...wanted, ...(since && { since: timestamp(since) }), ...(owner && { partner_id: owner }) };
  for (let total = 0; ; ) {
    const { ids, left, asOf } = await all.requeueable(search, Math.min(BATCH, most - total));
    if (ids.length === 0) return { requeued: total, left };
    const requeued = await change(actor, 'webhook requeue', async (tx) => {
      await enterSchema(tx, mode);
      const count = await all.requeue(tx, ids, asOf, actor.clock.now());
      return { target, after: { requeued: count, ...meant }, result: count };
    });
    total += requeued;
    if (!left || requeued === 0 || total >= most) return { requeued: total, left };
  }
}

/** Deletes the bodies of deliveries created before a time; returns how many. */
export async function prune(actor: Operator, mode: Mode, before: Date): Promise<number> {
  const { all } = actor.worlds[mode].webhooks;
  for (let total = 0; ; ) {
    const ids = await all.prunable(before);
    if (ids.length === 0) return total;
    const pruned = await change(actor, 'webhook prune', async (tx) => {
      await enterSchema(tx, mode);
      const count = await all.pruneBodies(tx, ids);
      return { target: `bodies before ${timestamp(before)}`, after: { mode, pruned: count }, result: count };
    });
    total += pruned;
    // Other processes have locked the rest.
    if (pruned === 0) return total;
  }
}
