import { MINUTE } from '../../../platform/clock.ts';
import { ago, COUNT_LIMIT, counted } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isHeld, supplierIn } from '../orders/orders.ts';

const STUCK_MS = 30 * MINUTE;
/** After so many attempts without an answer from the supplier, an order has waited for two and a half minutes. */
const FAILED_ATTEMPTS = 5;
const HALF_WRITTEN_MS = 1 * MINUTE;
const SILENT_MS = 10 * MINUTE;
const SILENT_ORDERS = 5;

const waiting = (now: number): Sql => sql`
  ${counted('held_orders', sql`select held_at as since from orders where ${isHeld}`)}
  union all ${counted(
    'overdue_orders',
    sql`select overdue_at as since from orders where overdue_at is not null and provision_due_at is not null`,
  )}
  union all ${counted(
    'stuck_orders',
    sql`select paid_at as since from (
        select paid_at, overdue_at, held_at from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
      ) as waiting where overdue_at is null and held_at is null and paid_at < ${ago(now, STUCK_MS)}`,
  )}
  union all ${counted(
    'failing_orders',
    sql`select paid_at as since from (
        select paid_at, overdue_at, provision_attempts, delivery_reason
        from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
      ) as waiting where overdue_at is null and paid_at >= ${ago(now, STUCK_MS)}
        and provision_attempts >= ${FAILED_ATTEMPTS} and delivery_reason = 'provider_unavailable'`,
  )}
  union all ${counted(
    'half_written_orders',
    sql`select created_at as since from orders where status = 3 and created_at < ${ago(now, HALF_WRITTEN_MS)}`,
  )}`;

/** Those that were paid and failed. */
const failedSince = (since: Date): Sql =>
  counted(
    'failed_orders',
    sql`select failed_at as since from orders where failed_at > ${since} and paid_at is not null and delivery = 'failed'`,
  );

/** Suppliers that several orders have waited for. */
const silentSuppliers = (now: number): Sql => sql`
  select 'silent_supplier' as kind, count(*)::float8 as count, min(paid_at) as since, supplier as of, '' as about
  from (
    select ${supplierIn(sql`supplier`)} as supplier, paid_at from orders where provision_due_at is not null order by provision_due_at limit ${5 * COUNT_LIMIT}
  ) as waiting
  where paid_at < ${ago(now, SILENT_MS)} group by supplier having count(*) >= ${SILENT_ORDERS}`;

export const orderAlerts = { waiting, silentSuppliers, failedSince };
