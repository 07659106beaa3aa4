import { COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { nextTryAt } from './queue/next-attempt.ts';

const MOST_RECEIVERS = 20;

/** A webhook address may hold a secret in its path, so only its host is shown. */
const hostOf = (url: Sql): Sql => sql`substring(${url} from '^[a-z]+://([^/?#@:]+)')`;

/** Receivers that were disabled since, and still are. */
const disabledSince = (since: Date): Sql =>
  counted(
    'disabled_webhooks',
    sql`select held_since as since from webhook_subscriptions
      where status = 3 and deleted_at is null and held_since > ${since}`,
  );

/** Receivers that are disabled, and those with events we gave up on. */
const stopped = (): Sql => sql`
  (select 'disabled_webhook' as kind, held.number::float8 as count, held_since as since, stopped.id::text as of,
    coalesce(${hostOf(sql`url`)}, '') as about, next_try_at as "nextTryAt"
  from (
    select id, partner_id, url, held_since, ${nextTryAt()} as next_try_at from webhook_subscriptions
    where status = 3 and deleted_at is null order by id
  ) as stopped
  join partners on partners.id = partner_id and partners.deleted_at is null
  cross join lateral (
    select count(*) as number from (select from webhook_queue where subscription_id = stopped.id limit ${COUNT_LIMIT}) as counted
  ) as held
  order by 2 desc, 3 limit ${MOST_RECEIVERS})
  union all
  (select 'dead_letters' as kind, dead.number::float8 as count, dead.since, dead.subscription_id::text as of,
    coalesce(${hostOf(sql`url`)}, '') as about, null
  from (
    select subscription_id, count(*) as number, min(died_at) as since from (
      select subscription_id, died_at from webhook_deliveries where status = 'dead' and not discarded
      order by died_at desc nulls last, id desc limit ${5 * COUNT_LIMIT}
    ) as newest group by subscription_id
  ) as dead
  join webhook_subscriptions as subscription on subscription.id = dead.subscription_id and subscription.deleted_at is null
  order by 2 desc, 4 limit ${MOST_RECEIVERS})`;

export const webhookAlerts = { stopped, disabledSince };
