import type { Queryable } from '../../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { nothing, type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { nextTryAt } from '../queue/held.ts';
import type { AttemptOutcome } from '../queue/queue.ts';
import { ATTEMPT_MS, FAILURES_TO_DISABLE } from '../queue/schedule.ts';

interface Disabled {
  readonly subscriptionId: bigint;
  readonly partnerId: number;
  /** In the account's own time. */
  readonly nextTryAt: Date;
}

/** How much of a reply the log keeps. The attempt keeps more. */
export const LOGGED_CHARACTERS = 1000;

/**
 * Records a batch of outcomes in one statement, all or nothing, and returns the subscriptions it disabled. The array is in the
 * order the attempts ended, which decides what counts as consecutive failures. Its parts:
 *
 *   outcome       the batch as rows; `n` is the order in which the attempts ended
 *   mine          those whose lease is still ours, their queue rows locked in the order of delivery ids
 *   done, again   the queue: finished rows go, failed ones get their next due time
 *   logged        the log
 *   attempted     the attempt itself. Its number is new; if it ever were not, that must not keep the outcome from being recorded
 *   subscription  the subscriptions whose count changes, locked in the order of their ids; none while all is well
 *   ended         their attempts, numbered in the order they ended
 *   counting      goes through these, one after the other. A success sets the count to 0. A failure adds one up to the limit, unless it
 *                 overlaps the last one that counted: attempts that run at the same time are not consecutive
 *   counted       where that led, and whether the limit was reached on the way, even if a success followed
 *   changed       the new failure count, and the subscription disabled if it was
 *   noticed       what `noticesOf` makes of the disabled ones, given a select of `changed`
 */
export async function record(
  db: Queryable,
  outcomes: readonly AttemptOutcome[],
  now: number,
  noticesOf?: (disabled: Sql) => Sql,
): Promise<Disabled[]> {
  const ahead = aheadOfRealTime(sql`webhook_deliveries.partner_id`);
  // An attempt takes ATTEMPT_MS at most, so one that ended longer before `until` than that was over before the other began.
  const beside = sql`started_at < until and ended_at > until - ${ATTEMPT_MS}::float8 * interval '1 ms'`;
  return db.query(sql`
    with recursive outcome as materialized (
      select * from unnest(
        ${outcomes.map(({ claimed }) => claimed.deliveryId)}::bigint[],
        ${outcomes.map(({ claimed }) => claimed.lease)}::timestamptz[],
        ${outcomes.map(({ claimed }) => Math.min(claimed.attempts, claimed.maxAttempts))}::int[],
        ${outcomes.map(({ succeeded }) => succeeded)}::boolean[],
        ${outcomes.map(({ dueAt }) => dueAt ?? null)}::timestamptz[],
        ${outcomes.map(({ startedAt }) => startedAt)}::timestamptz[],
        ${outcomes.map(({ endedAt }) => endedAt)}::timestamptz[],
        ${outcomes.map(({ signed }) => signed?.timestamp ?? null)}::text[],
        ${outcomes.map(({ signed }) => signed?.signature ?? null)}::text[],
        ${outcomes.map(({ signed }) => signed?.standardSignature ?? null)}::text[],
        ${outcomes.map(({ httpStatus }) => httpStatus ?? null)}::int[],
        ${outcomes.map(({ durationMs }) => durationMs)}::int[],
        ${outcomes.map(({ responseHeaders }) => responseHeaders)}::text[],
        ${outcomes.map(({ responseBody }) => responseBody)}::text[],
        ${outcomes.map(({ error }) => error)}::text[]
      ) with ordinality
        as outcome (delivery_id, lease, attempts, succeeded, due_at, started_at, ended_at, sent_timestamp, signature, standard_signature,
          http_code, duration_ms, response_headers, response_body, error, n)
    ), mine as materialized (
      select outcome.*, webhook_queue.subscription_id
      from outcome join webhook_queue
        on webhook_queue.delivery_id = outcome.delivery_id and webhook_queue.due_at = outcome.lease
      order by outcome.delivery_id for update of webhook_queue
    ), done as (
      delete from webhook_queue using mine
      where webhook_queue.delivery_id = mine.delivery_id and mine.due_at is null
    ), again as (
      update webhook_queue set due_at = mine.due_at from mine
      where webhook_queue.delivery_id = mine.delivery_id and mine.due_at is not null
    ), logged as (
      update webhook_deliveries
      set status = case when mine.succeeded then 'sent' when mine.due_at is null then 'dead' else 'failed' end,
        attempts = mine.attempts, http_code = mine.http_code, duration_ms = mine.duration_ms,
        response_body = left(mine.response_body, ${LOGGED_CHARACTERS}), error = mine.error,
        died_at = case when not mine.succeeded and mine.due_at is null then ${new Date(now)}::timestamptz end,
        sent_at = case when mine.succeeded then ${new Date(now)}::timestamptz + ${ahead} else webhook_deliveries.sent_at end
      from mine where webhook_deliveries.id = mine.delivery_id
      returning mine.delivery_id, mine.attempts + comeback_tries, mine.started_at + ${ahead} as started_at, mine.duration_ms, mine.http_code,
        mine.error, mine.sent_timestamp, mine.signature, mine.standard_signature, mine.response_headers, mine.response_body
    ), attempted as (
      insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_code, error, sent_timestamp, signature,
        standard_signature, response_headers, response_body)
      select * from logged on conflict do nothing
    ), subscription as materialized (
      select id, status, fail_count, failed_until from webhook_subscriptions
      join (select subscription_id, bool_or(not succeeded) as any_failed from mine group by 1) as batch on subscription_id = id
      where fail_count > 0 or any_failed
      order by id for no key update of webhook_subscriptions
    ), ended as materialized (
      select subscription_id, succeeded, started_at, ended_at, row_number() over (partition by subscription_id order by n) as turn
      from mine where subscription_id = any (array (select id from subscription))
    ), counting as (
      select id, 0::bigint as turn, fail_count as failures, failed_until as until, false as reached from subscription
      union all
      select id, ended.turn,
        case when succeeded then 0 when is_beside then failures else least(failures + 1, ${FAILURES_TO_DISABLE}) end,
        case when succeeded then null when is_beside then until else ended_at end,
        reached or (not succeeded and not is_beside and failures + 1 >= ${FAILURES_TO_DISABLE})
      from counting join ended on subscription_id = id and ended.turn = counting.turn + 1
      cross join lateral (select coalesce(${beside}, false) as is_beside) as compared
    ), counted as (
      select distinct on (id) id, failures, until, reached and status = 1 as broke
      from counting join subscription using (id) order by id, turn desc
    ), changed as (
      update webhook_subscriptions
      set fail_count = failures, failed_until = until, status = case when broke then 3 else status end,
        held_since = case when broke then ${new Date(now)} else held_since end,
        updated_at = case when broke then ${new Date(now)} else updated_at end,
        comeback_at = case when not broke then comeback_at end, comeback_tries = case when broke then 0 else comeback_tries end
      from counted where counted.id = webhook_subscriptions.id
      returning counted.id, broke, webhook_subscriptions.partner_id, url, ${nextTryAt()} as next_try_at
    )${noticesOf ? sql`, noticed as (${noticesOf(sql`select id, partner_id, url, next_try_at from changed where broke`)})` : nothing}
    select id as "subscriptionId", partner_id as "partnerId", next_try_at as "nextTryAt" from changed where broke`);
}
