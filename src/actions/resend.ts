import { type Mode, requireOpenPartner } from '../accounts/accounts.ts';
import { change } from '../audit-log.ts';
import { findSubscription, type ResendFilter, type Webhooks } from '../webhooks/webhooks.ts';
import { type Actor, enterWorld, requireMine } from './actor.ts';

/** A member of a partner, where they act. */
export interface Place {
  readonly mode: Mode;
  readonly partnerId: number;
  readonly webhooks: Webhooks;
}

/** Sends one delivery again, whatever became of it. `asOf`: when they were shown what became of it (see webhooks/resend.ts). */
export function resendOne(
  actor: Actor,
  { mode, partnerId, webhooks }: Place,
  id: bigint,
  asOf: Date,
): Promise<boolean> {
  return change(actor, 'webhook resend', async (tx) => {
    await enterWorld(tx, mode);
    const resent = await webhooks.resendOne(tx, partnerId, id, asOf, actor.clock.now());
    return { target: `delivery ${id}`, after: { resent: resent ? 1 : 0 }, result: resent };
  });
}

/** Sends all deliveries of a subscription again that the filter means; returns how many. All of them or none. */
export async function resendMatching(
  actor: Actor,
  { mode, partnerId, webhooks }: Place,
  filter: ResendFilter,
  asOf: Date,
): Promise<number> {
  const { subscriptionId, ...wanted } = filter;
  const ids = await webhooks.listResendable(partnerId, filter);
  return change(actor, 'webhook resend', async (tx) => {
    await enterWorld(tx, mode);
    requireMine(actor, await findSubscription(tx, subscriptionId), 'subscription_not_found');
    await requireOpenPartner(tx, partnerId);
    const resent = await webhooks.resend(tx, partnerId, ids, asOf, actor.clock.now());
    return { target: `subscription ${subscriptionId}`, after: { ...wanted, resent }, result: resent };
  });
}
