import type { Queryable } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';

export interface SlowReceiver {
  readonly subscriptionId: bigint;
  readonly url: string;
  readonly partnerId: number;
  readonly partner: string;
  readonly attempts: number;
  readonly failed: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** Attempts looked at: those of the latest deliveries, because there is no index by time, and ids grow with it. */
export const ATTEMPTS_READ = 20_000;
/** One in twenty attempts takes this long or longer. */
export const SLOW_MS = 1_000;
/** Fewer attempts say little. */
const FEWEST_ATTEMPTS = 3;
const MOST_LISTED = 50;

/** Subscriptions whose 95th percentile is slow since a time (the account's own), among the latest `ATTEMPTS_READ` attempts; the slowest first. */
export function slowReceivers(db: Queryable, since: Date): Promise<SlowReceiver[]> {
  return db.query(sql`
    with latest as materialized (
      select delivery_id, duration_ms, http_code, error, started_at from webhook_attempts
      order by delivery_id desc, attempt desc limit ${ATTEMPTS_READ}
    ), slow as materialized (
      select subscription_id as id, count(*)::int as attempts,
        (count(*) filter (where error <> '' or http_code is null or http_code not between 200 and 299))::int as failed,
        percentile_disc(0.5) within group (order by duration_ms) as median,
        percentile_disc(0.95) within group (order by duration_ms) as p95, max(duration_ms) as longest
      from latest cross join lateral (
        select subscription_id from webhook_deliveries where id = latest.delivery_id limit 1
      ) as delivery
      where started_at >= ${since}
      group by 1
      having count(*) >= ${FEWEST_ATTEMPTS} and percentile_disc(0.95) within group (order by duration_ms) >= ${SLOW_MS}
      order by p95 desc, id limit ${MOST_LISTED}
    )
    select slow.id as "subscriptionId", url, partner_id as "partnerId", partner.name as partner, attempts, failed,
      median as "medianMs", p95 as "p95Ms", longest as "maxMs"
    from slow
    cross join lateral (select url, partner_id, deleted_at from webhook_subscriptions where id = slow.id limit 1) as subscription
    cross join lateral (select name from shared.partners where id = subscription.partner_id limit 1) as partner
    where subscription.deleted_at is null
    order by p95 desc, slow.id`);
}
