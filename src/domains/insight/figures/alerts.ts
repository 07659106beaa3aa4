import { DAY } from '../../../platform/clock.ts';
import { ago } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

const POOR_ORDERS = 10;
const POOR_SHARE = 0.1;

/** Suppliers that failed many of their last orders; by the sums of a day, where they are right (`sums.ts`). */
export const poorSuppliers = (now: number): Sql => sql`
  select 'poor_supplier' as kind, sum(failed)::float8 as count, null::timestamptz as since, supplier as of,
    round(100.0 * sum(failed) / sum(delivered + failed))::text as about
  from (
    select day, supplier, delivered, failed from sale_day_sums
    where destination = '' and supplier <> '' and day not in (select day from sale_days_changed)
    union all
    select day, supplier, delivered, failed from sale_figures where day in (select day from sale_days_changed)
  ) as sold where day >= (${ago(now, DAY)}::timestamptz at time zone 'UTC')::date
  group by supplier having sum(delivered + failed) >= ${POOR_ORDERS} and sum(failed) > ${POOR_SHARE}::numeric * sum(delivered + failed)`;
