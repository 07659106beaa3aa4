import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { countedItems, HIGHEST_LEVEL } from './items.ts';

/** Plans of which no more than their level is left. Counting stops above the highest level there can be. */
export const stockMatters = (now: number): Sql => sql`
  select 'low_stock' as kind, available::float8 as count, null::timestamptz as since, supplier as of, plan as about
  from stock_plans
  cross join lateral (select ${countedItems('available', new Date(now), HIGHEST_LEVEL + 1)} as available) as counted
  where low is not null and available <= low`;
