import { Refused } from '../../../../platform/contract/refused.ts';
import { isDuplicate, type Queryable, type Tx } from '../../../../platform/db/database.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { Vault } from '../../../../platform/vault/secrets.ts';
import { contractEvents, type EventName, eventNames } from '../../events/events.ts';
import { discardHeld, nextTryAt, releaseHeld } from '../queue/held.ts';
import { hint } from '../queue/queue.ts';
import { ROTATION_MS } from '../queue/schedule.ts';
import { newSecret } from '../send/signature.ts';
import { type Guard, type TargetRefusal, TargetRefused } from '../send/target.ts';
import { beginCatalogNotices } from './catalog-notices.ts';
import { watchEarlier } from './esim-watch.ts';

export const MAX_SUBSCRIPTIONS = 5;
export const MAX_URL_LENGTH = 500;

export interface Subscription {
  readonly id: bigint;
  readonly partnerId: number;
  readonly url: string;
  readonly secretLast4: string;
  readonly events: EventName[];
  /** 1 active, 2 paused, 3 disabled after repeated failures. */
  readonly status: 1 | 2 | 3;
  /** Consecutive failed attempts, those that overlap counted once; at most the ten that disable it. */
  readonly failCount: number;
  /** Since when it is paused or disabled; null if it is active. */
  readonly heldSince: Date | null;
  /** How often it was tried again since it was disabled. */
  readonly tries: number;
  /** When a disabled one is tried next, in the account's own time; null if it is not, or no longer. */
  readonly nextTryAt: Date | null;
  /** When an open rotation of the secret ends by itself; in the past or null if none is open. */
  readonly rotationEndsAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = sql`
  id, partner_id as "partnerId", url, secret_last4 as "secretLast4", events, status, fail_count as "failCount", held_since as "heldSince",
  comeback_tries as tries, ${nextTryAt()} as "nextTryAt", previous_secret_until as "rotationEndsAt", created_at as "createdAt", updated_at as "updatedAt"`;

export function listSubscriptions(db: Queryable, partnerId: number): Promise<Subscription[]> {
  return db.query(sql`
    select ${columns} from webhook_subscriptions where partner_id = ${partnerId} and deleted_at is null order by id`);
}

export async function findSubscription(db: Queryable, id: bigint): Promise<Subscription> {
  const found = await db.maybe<Subscription>(sql`
    select ${columns} from webhook_subscriptions where id = ${id} and deleted_at is null`);
  if (!found) throw new Refused('subscription_not_found');
  return found;
}

export class UrlBlocked extends Refused<'url_blocked'> {
  readonly reason: TargetRefusal;

  constructor(reason: TargetRefusal) {
    super('url_blocked', `the address is refused: ${reason}`);
    this.reason = reason;
  }
}

/** Refuses a URL that deliveries could not be sent to. Does a DNS lookup, so call it before the transaction. */
async function checkUrl(guard: Guard, url: string): Promise<string> {
  if (url.length > MAX_URL_LENGTH) throw new Refused('url_too_long');
  try {
    // Saved in its normal form, so that two spellings of one URL count as the same.
    const { href } = (await guard.check(url)).url;
    if (href.length > MAX_URL_LENGTH) throw new Refused('url_too_long');
    return href;
  } catch (error) {
    if (error instanceof TargetRefused) throw new UrlBlocked(error.reason);
    throw error;
  }
}

/** The chosen events without duplicates, in our order; the contract's six if none are chosen. */
export function checkEvents(chosen: readonly string[]): EventName[] {
  const unknown = chosen.find((name) => !eventNames.some((known) => known === name));
  if (unknown !== undefined) throw new Refused('invalid_event', `"${unknown}" is not one of ${eventNames.join(', ')}`);
  return chosen.length === 0 ? [...contractEvents] : eventNames.filter((name) => chosen.includes(name));
}

interface NewSubscription {
  readonly partnerId: number;
  readonly url: string;
  readonly events: readonly EventName[];
}

/** The secret is returned this once; it is stored encrypted. */
export async function createSubscription(
  tx: Tx,
  vault: Vault,
  wanted: NewSubscription,
  now: number,
): Promise<{ subscriptionId: bigint; secret: string }> {
  // Two concurrent calls must not both create the fifth.
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('webhook_subscriptions'), ${wanted.partnerId}::int)`);
  const existing = await listSubscriptions(tx, wanted.partnerId);
  if (existing.some(({ url }) => url === wanted.url)) throw new Refused('url_already_subscribed');
  if (existing.length >= MAX_SUBSCRIPTIONS) throw new Refused('subscription_limit_reached');
  const secret = newSecret();
  const at = new Date(now);
  const { id } = await tx.one<{ id: bigint }>(sql`
    insert into webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    values (${wanted.partnerId}, ${wanted.url}, ${wanted.events}, ${vault.seal(secret)}, ${secret.slice(-4)}, ${at}, ${at})
    returning id`);
  await watchEarlier(tx, wanted.partnerId, wanted.events);
  return { subscriptionId: id, secret };
}

async function changeSubscription(
  tx: Tx,
  id: bigint,
  change: { readonly url?: string; readonly events?: readonly EventName[] },
  now: number,
): Promise<Subscription> {
  try {
    const changed = await tx.maybe<Subscription>(sql`
      update webhook_subscriptions
      set url = coalesce(${change.url ?? null}, url), events = coalesce(${change.events ?? null}, events),
        updated_at = ${new Date(now)}
      where id = ${id} and deleted_at is null returning ${columns}`);
    if (!changed) throw new Refused('subscription_not_found');
    if (change.events) await watchEarlier(tx, changed.partnerId, change.events);
    return changed;
  } catch (error) {
    if (isDuplicate(error)) throw new Refused('url_already_subscribed');
    throw error;
  }
}

/**
 * Creates a new secret. Until the rotation is finished or `ROTATION_MS` pass, the receiver may know either one: `X-Signature`,
 * which holds a single signature, keeps the old secret and `webhook-signature` carries both. Rotating again before that replaces
 * the new secret and keeps the old one. With `atOnce` the old secret signs nothing any more, for one that leaked.
 */
async function rotateSecret(
  tx: Tx,
  vault: Vault,
  id: bigint,
  now: number,
  atOnce: boolean,
): Promise<{ secret: string }> {
  const secret = newSecret();
  const at = new Date(now);
  const old = sql`case when previous_secret_until > ${at} then previous_secret else secret end`;
  const changed = await tx.run(sql`
    update webhook_subscriptions
    set previous_secret = ${atOnce ? sql`null` : old},
      previous_secret_until = ${atOnce ? null : new Date(now + ROTATION_MS)}::timestamptz,
      secret = ${vault.seal(secret)}, secret_last4 = ${secret.slice(-4)}, updated_at = ${at}
    where id = ${id} and deleted_at is null`);
  if (changed === 0) throw new Refused('subscription_not_found');
  return { secret };
}

/** Ends an open rotation: from now on only the new secret signs. Changes nothing if none is open. */
async function finishRotation(tx: Tx, id: bigint, now: number): Promise<Subscription> {
  await tx.run(sql`
    update webhook_subscriptions
    set previous_secret = null, previous_secret_until = null, updated_at = ${new Date(now)}
    where id = ${id} and previous_secret is not null and deleted_at is null`);
  return findSubscription(tx, id);
}

/** Holds its deliveries until it is resumed. A disabled subscription stays disabled. */
export async function pauseSubscription(tx: Tx, id: bigint, now: number): Promise<Subscription> {
  await tx.run(sql`
    update webhook_subscriptions set status = 2, held_since = ${new Date(now)}, updated_at = ${new Date(now)}
    where id = ${id} and status = 1 and deleted_at is null`);
  return findSubscription(tx, id);
}

/** What makes a subscription active, as assignments. */
export const madeActive = (now: number): Sql => sql`
  status = 1, fail_count = 0, failed_until = null, held_since = null, comeback_at = null, comeback_tries = 0,
  updated_at = ${new Date(now)}`;

/**
 * Makes it active, resets its failure count and sends what was held, the oldest first, or discards it. The queue is locked before
 * the subscription, as queue.ts demands.
 */
export async function resumeSubscription(
  tx: Tx,
  id: bigint,
  now: number,
  held: 'send' | 'discard' = 'send',
): Promise<Subscription> {
  await (held === 'send' ? releaseHeld(tx, id, now) : discardHeld(tx, id, now));
  await tx.run(sql`
    update webhook_subscriptions set ${madeActive(now)}
    where id = ${id} and deleted_at is null`);
  await tx.run(sql`select ${hint([id])}`);
  return findSubscription(tx, id);
}

/** The row stays for the log, the secrets are erased. `abandonHeld` gives up what still waits. */
async function deleteSubscription(tx: Tx, vault: Vault, id: bigint, now: number): Promise<void> {
  const deleted = await tx.run(sql`
    update webhook_subscriptions
    set deleted_at = ${new Date(now)}, secret = ${vault.seal('')}, previous_secret = null, previous_secret_until = null
    where id = ${id} and deleted_at is null`);
  if (deleted === 0) throw new Refused('subscription_not_found');
}

/** Changes to subscriptions, on the owner's connection. */
export const subscriptions = {
  find: findSubscription,
  checkUrl,
  checkEvents,
  create: createSubscription,
  change: changeSubscription,
  rotateSecret,
  finishRotation,
  pause: pauseSubscription,
  resume: resumeSubscription,
  delete: deleteSubscription,
  beginCatalogNotices,
};

export interface StoppedSubscription extends Pick<Subscription, 'id' | 'url' | 'status'> {
  /** When a disabled one is tried next, in the account's own time; null if it is not, or no longer. */
  readonly nextTryAt: Date | null;
  /** How many deliveries wait for it to be resumed, counted up to `MOST_COUNTED`. */
  readonly held: number;
}

export const MOST_COUNTED = 100;

interface StoppedOfPartner extends StoppedSubscription {
  readonly partnerId: number;
  readonly partner: string;
  readonly failCount: number;
  readonly heldSince: Date;
}

const MOST_LISTED = 200;

/** The paused and disabled subscriptions of all open partners, the latest first. */
export function listAllStopped(db: Queryable): Promise<StoppedOfPartner[]> {
  return db.query(sql`
    select stopped.id, url, status, partner_id as "partnerId", partner.name as partner, fail_count as "failCount",
      held_since as "heldSince", next_try_at as "nextTryAt", held.number as held
    from (
      select id, url, status, partner_id, fail_count, held_since, ${nextTryAt()} as next_try_at from webhook_subscriptions
      where deleted_at is null and status <> 1 order by held_since desc, id desc limit ${MOST_LISTED}
    ) as stopped
    cross join lateral (select name, deleted_at from shared.partners where id = partner_id limit 1) as partner
    cross join lateral (
      select count(*)::int as number
      from (select from webhook_queue where subscription_id = stopped.id limit ${MOST_COUNTED}) as counted
    ) as held
    where partner.deleted_at is null
    order by held_since desc, stopped.id desc`);
}

/** The paused and disabled subscriptions of a partner, with what they hold back. */
export function listStopped(db: Queryable, partnerId: number): Promise<StoppedSubscription[]> {
  return db.query(sql`
    select id, url, status, ${nextTryAt()} as "nextTryAt", held.number as held
    from webhook_subscriptions
    cross join lateral (
      select count(*)::int as number
      from (select from webhook_queue where subscription_id = webhook_subscriptions.id limit ${MOST_COUNTED}) as counted
    ) as held
    where partner_id = ${partnerId} and deleted_at is null and status <> 1
    order by id`);
}
