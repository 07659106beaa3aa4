import { aheadOfRealTime } from '../../../../platform/db/query/account-time.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import { FIRST_RECOVERY_MS } from './schedule.ts';

/**
 * When a disabled subscription is tried next, in real time; null if it is not disabled or was tried for the last time. The first try
 * needs no column of its own: it follows from when the subscription was disabled, also where an earlier version disabled it.
 */
export const recoveryDueAt = (
  subscription: Sql = sql`webhook_subscriptions`,
): Sql => sql`(case when ${subscription}.status = 3 then
  coalesce(${subscription}.comeback_at, case when ${subscription}.comeback_tries = 0
    then ${subscription}.held_since + ${FIRST_RECOVERY_MS}::float8 * interval '1 ms' end) end)`;

/** The same in the account's own time, as it is shown. */
export const nextTryAt = (subscription: Sql = sql`webhook_subscriptions`): Sql =>
  sql`(${recoveryDueAt(subscription)} + ${aheadOfRealTime(sql`${subscription}.partner_id`)})`;
