import { catalogStates } from '../../domains/catalog/catalog.ts';
import { storedContract } from '../../domains/catalog/prices/prices.ts';
import { inbox, type Subscription, signing, subscriptions } from '../../domains/messages/webhooks/webhooks.ts';
import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { change, type Recorded } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import { snaked } from '../../platform/contract/json.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { type Actor, requireMine } from '../actor.ts';

export interface WantedSubscription {
  readonly partnerId: number;
  readonly mode: Mode;
  readonly url: string;
  /** Empty: all events. */
  readonly events: readonly string[];
}

/** The signing secret is in the result only. */
export async function subscribe(
  actor: Actor,
  { partnerId, mode, ...wanted }: WantedSubscription,
): Promise<{ subscription: Subscription; secret: string }> {
  const events = subscriptions.checkEvents(wanted.events);
  const url = await subscriptions.checkUrl(actor.guard, wanted.url);
  return changeIn(actor, mode, 'webhook create', async (tx, now) => {
    await requireOpenPartner(tx, partnerId);
    const made = { partnerId, url, events };
    const { subscriptionId: id, secret } = await subscriptions.create(tx, actor.vault, made, now);
    const result = { subscription: await subscriptions.find(tx, id), secret };
    await beginCatalogNotices(tx, result.subscription, undefined, now);
    const shownOnce = 'the webhook was added and its secret shown once; if you do not have the secret, rotate it';
    return { target: `subscription ${id}`, after: { mode, ...made }, result, shownOnce };
  });
}

/** The catalog at the time of subscribing is the first one reported to a partner. */
function beginCatalogNotices(tx: Tx, made: Subscription, before: Subscription | undefined, now: number): Promise<void> {
  return subscriptions.beginCatalogNotices(tx, made, before, async () => ({
    state: await catalogStates.latest(tx),
    contractId: await storedContract(tx, made.partnerId, now),
  }));
}

/** Opens the account's inbox for its events in a world that has them, or keeps it open. */
export const openInbox = (actor: Actor, mode: Mode, partnerId: number): Promise<Subscription> =>
  changeIn(actor, mode, 'webhook create', async (tx, now) => {
    await requireOpenPartner(tx, partnerId);
    const result = await inbox.open(tx, actor.vault, partnerId, now);
    const isNew = result.createdAt.getTime() === now;
    await beginCatalogNotices(tx, result, isNew ? undefined : result, now);
    return { target: `subscription ${result.id}`, after: { mode, url: result.url }, result };
  });

/** Changes the URL or the events. The mode of a subscription never changes. */
export async function redirect(
  actor: Actor,
  mode: Mode,
  id: bigint,
  given: { readonly url?: string | undefined; readonly events?: readonly string[] | undefined },
): Promise<Subscription> {
  const wanted = {
    ...(given.events !== undefined && { events: subscriptions.checkEvents(given.events) }),
    ...(given.url !== undefined && { url: await subscriptions.checkUrl(actor.guard, given.url) }),
  };
  return changed(actor, 'webhook set', mode, id, 'open', async (tx, now) => {
    const before = await subscriptions.find(tx, id);
    const result = await subscriptions.change(tx, id, wanted, now);
    await beginCatalogNotices(tx, result, before, now);
    return result;
  });
}

export const pause = (actor: Actor, mode: Mode, id: bigint): Promise<Subscription> =>
  changed(actor, 'webhook pause', mode, id, 'any', (tx, now) => subscriptions.pause(tx, id, now));

/** Deliveries held while it was paused or disabled are sent or discarded. */
export const resume = (actor: Actor, mode: Mode, id: bigint, held?: 'send' | 'discard'): Promise<Subscription> =>
  changed(actor, 'webhook resume', mode, id, 'open', (tx, now) => subscriptions.resume(tx, id, now, held));

/** Ends the time in which the old secret still signs. */
export const finishRotating = (actor: Actor, mode: Mode, id: bigint): Promise<Subscription> =>
  changed(actor, 'webhook rotate finish', mode, id, 'open', (tx, now) => subscriptions.finishRotation(tx, id, now));

export function rotate(
  actor: Actor,
  mode: Mode,
  id: bigint,
  atOnce = false,
): Promise<{ subscription: Subscription; secret: string }> {
  return changeIn(actor, mode, 'webhook rotate', async (tx, now) => {
    await requireOpenPartner(tx, (await requireSubscription(tx, actor, id)).partnerId);
    const { secret } = await subscriptions.rotateSecret(tx, actor.vault, id, now, atOnce);
    const result = { subscription: await subscriptions.find(tx, id), secret };
    const shownOnce = 'the secret was rotated and shown once; if you do not have it, rotate it again';
    return { target: `subscription ${id}`, ...(atOnce && { after: { at_once: true } }), result, shownOnce };
  });
}

/** Deliveries still waiting for it are abandoned by a job that runs every minute. */
export function unsubscribe(actor: Actor, mode: Mode, id: bigint): Promise<void> {
  return changeIn(actor, mode, 'webhook delete', async (tx, now) => {
    await requireSubscription(tx, actor, id);
    await subscriptions.delete(tx, actor.vault, id, now);
    return { target: `subscription ${id}`, result: undefined };
  });
}

export const shownSubscription = (mode: Mode, subscription: Subscription) => ({
  subscription_id: subscription.id,
  partner_id: subscription.partnerId,
  mode,
  url: subscription.url,
  secret_mask: signing.mask(subscription.secretLast4),
  events: subscription.events.join(','),
  ...snaked(subscription, 'status', 'rotationEndsAt', 'failCount', 'nextTryAt', 'updatedAt'),
});

async function requireSubscription(tx: Tx, actor: Actor, id: bigint): Promise<Subscription> {
  return requireMine(actor, await subscriptions.find(tx, id), 'subscription_not_found');
}

/**
 * Changes one subscription and records its state before and after. `of` says whose it may be: pausing also stops what the
 * orders of a closed account still send.
 */
function changed(
  actor: Actor,
  what: AuditKind,
  mode: Mode,
  id: bigint,
  of: 'open' | 'any',
  work: (tx: Tx, now: number) => Promise<Subscription>,
): Promise<Subscription> {
  return changeIn(actor, mode, what, async (tx, now) => {
    const found = await requireSubscription(tx, actor, id);
    if (of === 'open') await requireOpenPartner(tx, found.partnerId);
    const before = shownSubscription(mode, found);
    const result = await work(tx, now);
    return { target: `subscription ${id}`, before, after: shownSubscription(mode, result), result };
  });
}

function changeIn<T>(
  actor: Actor,
  mode: Mode,
  what: AuditKind,
  work: (tx: Tx, now: number) => Promise<Recorded<T>>,
): Promise<T> {
  return change(actor, what, async (tx) => {
    await enterSchema(tx, mode);
    return work(tx, actor.clock.now());
  });
}
