import { DAY, MINUTE } from '../../platform/clock.ts';
import { ago, COUNT_LIMIT } from '../../platform/db/alerts.ts';
import { type Sql, sql } from '../../platform/db/query/sql.ts';

const BALANCE_UNREAD_MS = 30 * MINUTE;
const OLD_LIST_MS = 3 * DAY;

/** Lists that are old, could not be imported, or wait for a confirmation. Simulated suppliers and our own stock have none that ages. */
export const listAlerts = (now: number): Sql => sql`
  select 'old_list' as kind, 1::float8 as count, imported_at as since, slug as of, '' as about from suppliers
  where kind not in ('simulated', 'stock') and imported_at < ${ago(now, OLD_LIST_MS)}
  union all
  select case when latest.is_held then 'held_import' else 'failed_import' end, failed.count, failed.since, latest.supplier, latest.error
  from (
    select supplier from catalog_syncs union select slug from suppliers
  ) as known
  cross join lateral (
    select id, supplier, error, is_held from catalog_imports where supplier = known.supplier order by id desc limit 1
  ) as latest
  cross join lateral (
    select count(*)::float8 as count, min(finished_at) as since from (
      select finished_at from catalog_imports where supplier = latest.supplier and id > coalesce((
        select id from catalog_imports where supplier = latest.supplier and error is null order by id desc limit 1), 0)
      limit ${COUNT_LIMIT}
    ) as run
  ) as failed
  where latest.error is not null`;

/** What is left of our balances at suppliers. */
export const balanceAlerts = (now: number): Sql => sql`
  select 'unread_balance' as kind, 1::float8 as count, balance_at as since, slug as of, '' as about from suppliers
  where balance_at < balance_asked_at and balance_at < ${ago(now, BALANCE_UNREAD_MS)}
  union all
  select 'low_balance', 1, null, slug, round(balance_micros / 1000000.0, 2)::text from suppliers
  where balance_micros < balance_alert_micros`;
