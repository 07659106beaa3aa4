import { SECOND } from '../../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import type { Job } from '../../../../platform/jobs/runner.ts';
import { workOnAll } from '../../../../platform/limits/turns.ts';
import type { Services } from '../../../../platform/start/services.ts';
import { eventNames } from '../../events/events.ts';
import type { MakeExchange } from '../send/attempt.ts';
import { LOGGED_CHARACTERS } from '../send/record.ts';
import { madeActive } from '../subscriptions/subscriptions.ts';
import { recoveryDueAt, releaseHeld } from './held.ts';
import { type Exchange, hint, type Sendable } from './queue.ts';
import { FURTHEST_RECOVERY_MS, LEASE_MS, nextRecoveryAt } from './schedule.ts';

/*
 * How a disabled subscription becomes active again without a person. A subscription disabled by failures is tried again with its
 * oldest held event, at the times of schedule.ts. The first 2xx makes it active and sends what was held. While nothing is held
 * there is nothing to try with: it stays due, and the next event is tried at once.
 *
 * These tries are apart from the delivery loop, which passes over subscriptions that are not active. They are few, and a receiver
 * that hangs holds up nothing but the next batch of tries.
 *
 * A claim moves `comeback_at` to the end of a lease and counts the try, as claims of deliveries do, so a process that dies loses a
 * try and nothing else. The lease is also the proof of ownership: an outcome is recorded only if `comeback_at` is still that of
 * its claim. If somebody resumed or deleted the subscription meanwhile, the outcome is dropped, and the event is sent as any
 * other: at least once. The queue row is not touched before the outcome is known. No worker takes it while the subscription is
 * disabled, and its own due time and attempts stay as they were: a try is in the log of its delivery, but not one of its five.
 */

/** A disabled subscription whose receiver is tried by this process until its lease ends, with what it is tried with. */
export interface RecoveryAttempt extends Sendable {
  readonly subscriptionId: bigint;
  readonly partnerId: number;
  readonly createdAt: Date;
  /** Of the delivery, as the queue has them. */
  readonly attempts: number;
  /** Including this one. */
  readonly tries: number;
  readonly lease: Date;
}

const BATCH = 100;

/**
 * Takes subscriptions that are due. An attempt that is still under way since before its subscription was disabled is passed over.
 */
export async function claimRecoveryAttempts(db: Queryable, now: number): Promise<RecoveryAttempt[]> {
  const at = new Date(now);
  const lease = new Date(now + LEASE_MS);
  const rows = await db.query<Omit<RecoveryAttempt, 'lease'>>(sql`
    with due as materialized (
      select subscription.id, oldest.delivery_id, oldest.attempts
      from webhook_subscriptions as subscription
      cross join lateral (
        select queued.delivery_id, queued.attempts
        from unnest(${['pending', 'failed']}::text[]) as wanted_status
        cross join unnest(${eventNames}::text[]) as wanted_event
        cross join lateral (
          select id, attempts from webhook_deliveries
          where subscription_id = subscription.id and status = wanted_status and event_type = wanted_event order by id limit 1
        ) as first
        cross join lateral (select delivery_id, due_at, attempts from webhook_queue where delivery_id = first.id limit 1) as queued
        where due_at <= ${at} or queued.attempts <= first.attempts
        order by queued.delivery_id limit 1
      ) as oldest
      cross join lateral (select ${recoveryDueAt(sql`subscription`)} as at) as next
      where subscription.status = 3 and subscription.deleted_at is null
        and (next.at <= ${at} or next.at > ${new Date(now + FURTHEST_RECOVERY_MS)})
      order by subscription.id limit ${BATCH} for no key update of subscription skip locked
    ), claimed as (
      update webhook_subscriptions set comeback_at = ${lease}, comeback_tries = comeback_tries + 1
      from due where due.id = webhook_subscriptions.id
      returning due.*, partner_id, comeback_tries, url, secret,
        case when previous_secret_until > ${at} then previous_secret end as previous_secret
    )
    select claimed.id as "subscriptionId", claimed.partner_id as "partnerId", delivery_id as "deliveryId",
      claimed.attempts, claimed.comeback_tries as tries, event_id as "eventId", event_type as event,
      created_at as "createdAt", body, url, secret, previous_secret as "previousSecret"
    from claimed cross join lateral (
      select event_id, event_type, created_at, body from webhook_deliveries where id = claimed.delivery_id limit 1
    ) as delivery`);
  return rows.map((row) => ({ ...row, lease }));
}

/** The claim has passed to somebody else: what was written is taken back. */
class NotMine extends Error {}

/** The new state of the subscription; undefined if the claim was no longer ours, and nothing was recorded. */
type Recorded = { readonly isActive: boolean; readonly nextTryAt: Date | undefined };

/** Locks are taken in the order queue.ts demands: queue, log, subscription. */
export async function recordRecoveryAttempt(
  db: Db,
  tried: RecoveryAttempt,
  exchange: Exchange,
  now: number,
): Promise<Recorded | undefined> {
  const next = exchange.succeeded ? undefined : nextRecoveryAt(tried.tries, now);
  const nextTryAt = next === undefined ? undefined : new Date(next);
  try {
    await db.tx(async (tx) => {
      if (exchange.succeeded) await releaseHeld(tx, tried.subscriptionId, now);
      await logTry(tx, tried, exchange, now);
      const changed = await tx.run(sql`
        update webhook_subscriptions
        set ${exchange.succeeded ? madeActive(now) : sql`comeback_at = ${nextTryAt ?? null}::timestamptz`}
        where id = ${tried.subscriptionId} and status = 3 and deleted_at is null and comeback_at = ${tried.lease}`);
      if (changed === 0) throw new NotMine();
      if (exchange.succeeded) await tx.run(sql`select ${hint([tried.subscriptionId])}`);
    });
  } catch (error) {
    if (error instanceof NotMine) return undefined;
    throw error;
  }
  return { isActive: exchange.succeeded, nextTryAt };
}

/** The try in the log of its delivery. Nothing if the delivery is no longer held: discarded, forgotten by a reset, or too old. */
async function logTry(
  tx: Tx,
  { deliveryId, attempts }: RecoveryAttempt,
  exchange: Exchange,
  now: number,
): Promise<void> {
  const { succeeded, startedAt, durationMs, httpStatus, error, signed, responseHeaders, responseBody } = exchange;
  const held = await tx.run(
    succeeded
      ? sql`delete from webhook_queue where delivery_id = ${deliveryId}`
      : sql`select from webhook_queue where delivery_id = ${deliveryId} for update`,
  );
  if (held === 0) return;
  const ahead = aheadOfRealTime(sql`webhook_deliveries.partner_id`);
  await tx.run(sql`
    with logged as (
      update webhook_deliveries
      set status = ${succeeded ? 'sent' : 'failed'}, comeback_tries = comeback_tries + 1, http_code = ${httpStatus ?? null}::int,
        duration_ms = ${durationMs}::int, response_body = left(${responseBody}::text, ${LOGGED_CHARACTERS}), error = ${error},
        sent_at = case when ${succeeded}::boolean then ${new Date(now)}::timestamptz + ${ahead} else sent_at end
      where id = ${deliveryId}
      returning id, ${attempts}::int + comeback_tries as attempt, ${startedAt}::timestamptz + ${ahead} as started_at
    )
    insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_code, error, sent_timestamp, signature,
      standard_signature, response_headers, response_body)
    select id, attempt, started_at, ${durationMs}::int, ${httpStatus ?? null}::int, ${error}::text,
      ${signed?.timestamp ?? null}::text, ${signed?.signature ?? null}::text, ${signed?.standardSignature ?? null}::text,
      ${responseHeaders}::text, ${responseBody}::text
    from logged on conflict do nothing`);
}

interface RecoveryParts extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly schema: string;
  readonly exchange: MakeExchange;
  readonly onTry: (exchange: Exchange) => void;
}

const LOOK_EVERY_MS = 1 * SECOND;

export function recoveryJob({ schema, db, exchange, clock, log, onTry }: RecoveryParts): Job {
  async function attempt(tried: RecoveryAttempt): Promise<void> {
    const made = await exchange(tried);
    onTry(made);
    const recorded = await recordRecoveryAttempt(db, tried, made, clock.now());
    if (!recorded) return;
    const { subscriptionId, partnerId, tries } = tried;
    const fields = { world: schema, subscriptionId, partnerId, tries };
    if (recorded.isActive) log.info(fields, 'a disabled subscription is active again: its receiver answered');
    else if (!recorded.nextTryAt)
      log.warn(fields, 'a disabled subscription is no longer tried: somebody has to resume it');
  }
  return {
    name: `webhook recovery ${schema}`,
    everyMs: LOOK_EVERY_MS,
    async run() {
      // What cannot be recorded is tried again when its lease ends.
      return workOnAll(await claimRecoveryAttempts(db, clock.now()), attempt);
    },
  };
}

/**
 * Brings the next tries of a partner's receivers forward. One that is due within a lease may be under way and is left alone, as in
 * `expediteDeliveries`; before the first try none is.
 */
export async function expediteRecoveryAttempts(tx: Tx, partnerId: number, byMs: number, now: number): Promise<void> {
  const due = recoveryDueAt();
  await tx.run(sql`
    update webhook_subscriptions
    set comeback_at = greatest(${due} - ${byMs}::float8 * interval '1 ms', ${new Date(now)}::timestamptz)
    where id = any (array (
      select id from webhook_subscriptions
      where partner_id = ${partnerId} and deleted_at is null
        and ${due} > case when comeback_tries = 0 then ${new Date(now)}::timestamptz else ${new Date(now + LEASE_MS)}::timestamptz end
      order by id for no key update))`);
}
