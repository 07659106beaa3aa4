import { MINUTE } from '../../../../platform/clock.ts';
import { nothing, type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { EventName } from '../../events/events.ts';

/**
 * `pending`: waits for its first attempt, or to be sent again after it was delivered; `failed`: will be retried; `dead`: given up,
 * can be requeued.
 */
export const deliveryStatuses = ['pending', 'sent', 'failed', 'dead'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface Match {
  readonly partnerId: number;
  /** Undefined: of all its subscriptions. */
  readonly subscriptionId: bigint | undefined;
  readonly statuses: readonly DeliveryStatus[];
  readonly events: readonly EventName[];
  readonly before?: bigint | undefined;
  /** Only events that happened at this time or later, in the account's own time. */
  readonly from?: Date | undefined;
  /** Only events that happened before this time. */
  readonly until?: Date | undefined;
  readonly limit: number;
}

/**
 * The ids of the latest deliveries that match. Every combination of status and event is a range of an index that is already
 * sorted, so this reads the newest of each and merges them; its cost does not depend on the size of the log.
 *
 * There is no index by time. Ids grow with time, though, so what is too old follows what is not: reading the newest `limit` of
 * each range and dropping what is older than `from` leaves the right ones. For `until`, a search by halves finds the id to begin
 * at. Ids and times disagree only where an account's own clock was set back; a list then may leave rows out, and never has wrong
 * ones.
 */
export function matching(match: Match): Sql {
  const { partnerId, subscriptionId, statuses, events, before, from, until, limit } = match;
  const [owner, key]: [Sql, Sql] =
    subscriptionId === undefined
      ? [sql`(select ${partnerId}::int as id) as owner`, sql`partner_id`]
      : [
          sql`(select id from webhook_subscriptions where id = ${subscriptionId} and partner_id = ${partnerId}) as owner`,
          sql`subscription_id`,
        ];
  const ranges = sql`
    ${owner}
    cross join unnest(${statuses}::text[]) as wanted_status
    cross join unnest(${events}::text[]) as wanted_event`;
  const inRange = sql`${key} = owner.id and status = wanted_status and event_type = wanted_event`;
  return sql`
    select recent.id
    from ${ranges}
    cross join lateral (
      select id, created_at from webhook_deliveries
      where ${inRange}
        ${before === undefined ? nothing : sql`and id < ${before}`}
        ${until === undefined ? nothing : sql`and created_at < ${until} and id < ${firstIdAfter(ranges, inRange, until)}`}
      order by id desc limit ${limit}
    ) as recent
    ${from === undefined ? nothing : sql`where recent.created_at >= ${from}`}
    order by recent.id desc limit ${limit}`;
}

/** Transactions that run side by side may take their ids in another order than their times. */
const OUT_OF_ORDER_MS = 5 * MINUTE;

/** An id that no row in these ranges from before `at` reaches. Some thirty steps, each an index lookup per range. */
const firstIdAfter = (ranges: Sql, inRange: Sql, at: Date): Sql => sql`(
  with recursive step as (
    select 0::bigint as low, 1 + coalesce((select max(id) from webhook_deliveries), 0) as high
    union all
    select case when newest.id is null then middle else low end, coalesce(newest.id, high)
    from step
    cross join lateral (select (low + high) / 2 as middle) as half
    cross join lateral (
      select max(found.id) filter (where found.created_at >= ${new Date(at.getTime() + OUT_OF_ORDER_MS)}) as id from (
        select candidate.id, candidate.created_at from ${ranges} cross join lateral (
          select id, created_at from webhook_deliveries where ${inRange} and id <= middle and id > low
          order by id desc limit 1
        ) as candidate
        order by candidate.id desc limit 1
      ) as found
    ) as newest
    where high - low > 1
  )
  select min(high) from step
)`;
