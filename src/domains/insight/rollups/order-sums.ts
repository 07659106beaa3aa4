import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isCancelled, supplierIn } from '../../sales/orders/orders.ts';

/** The upper ends of the classes of delivery times, with the column that counts each. */
export const tookClasses = [
  { column: 'took_1s', upToSeconds: 1 },
  { column: 'took_5s', upToSeconds: 5 },
  { column: 'took_30s', upToSeconds: 30 },
  { column: 'took_2m', upToSeconds: 120 },
  { column: 'took_10m', upToSeconds: 600 },
  { column: 'took_1h', upToSeconds: 3_600 },
  { column: 'took_longer', upToSeconds: null },
] as const;

/**
 * A partner's orders from a time up to another, with what figures need of each. Everything is in the order's own row: a failed order
 * was refunded in full, and of a delivered one `refunded` says how much. Closed orders are found by the index of weeks, open ones by
 * that of orders to provision.
 */
export function ordersBetween(partnerId: Sql, from: Sql, to: Sql): Sql {
  const columns = sql`
    partner_id, created_at, product_id as plan, country_code as destination, ${supplierIn(sql`supplier`)} as supplier, status, sale_price,
    paid_at is not null as is_paid, ${isCancelled} as is_cancelled, cost_micros > 0 as is_costed,
    case when status = 2 and paid_at is not null then sale_price else refunded end as returned,
    case when paid_at is null or status = 2 then 0 when status = 1 then coalesce(charged_micros, cost_micros) else cost_micros end as cost,
    -- A test clock that was reset in between makes the delivery the earlier of the two.
    case when status = 1 and not ${isCancelled} then greatest(0, extract(epoch from delivered_at - paid_at) * 1000)::bigint end as took_ms`;
  const week = (at: Sql) => sql`date_trunc('week', ${at} at time zone 'UTC')`;
  const isMine = sql`partner_id = ${partnerId} and created_at >= ${from} and created_at < ${to}`;
  return sql`
    select ${columns} from orders
    where ${isMine} and provision_due_at is null and ${week(sql`created_at`)} between ${week(from)} and ${week(to)}
    union all
    select ${columns} from orders where ${isMine} and provision_due_at is not null`;
}

const inClass = (lower: number, upper: number | null): string =>
  `count(*) filter (where took_ms > ${lower * 1000}${upper === null ? '' : ` and took_ms <= ${upper * 1000}`})`;
const sumIf = (what: string, which: string): string => `coalesce(sum(${what}) filter (where ${which}), 0)`;

/** The columns of the daily tables, each with its sum over rows of `ordersBetween`. */
const sums: ReadonlyMap<string, string> = new Map([
  ['orders', 'count(*) filter (where is_paid)'],
  ['refused', 'count(*) filter (where not is_paid and status = 2)'],
  ['delivered', 'count(*) filter (where status = 1 and not is_cancelled)'],
  ['failed', 'count(*) filter (where is_paid and status = 2 and not is_cancelled)'],
  ['cancelled', 'count(*) filter (where is_paid and is_cancelled)'],
  ['charged', sumIf('sale_price', 'is_paid')],
  ['returned', 'sum(returned)'],
  ['costed', 'count(*) filter (where is_paid and is_costed)'],
  ['costed_charged', sumIf('sale_price', 'is_paid and is_costed')],
  ['costed_returned', sumIf('returned', 'is_costed')],
  ['cost_micros', sumIf('cost', 'is_costed')],
  ['took_ms', 'coalesce(sum(took_ms), 0)'],
  ...tookClasses.map(
    ({ column, upToSeconds }, i) =>
      [column, inClass(tookClasses[i - 1]?.upToSeconds ?? -1, upToSeconds)] as [string, string],
  ),
]);

export const sumColumns: readonly string[] = [...sums.keys()];
/** A select list: the sums over rows of `ordersBetween`. */
export const sumsOfOrders: Sql = raw([...sums].map(([name, sum]) => `(${sum})::bigint as ${name}`).join(', '));
/** A select list: the sums over rows of a daily table. */
export const sumsOfDays: Sql = raw(sumColumns.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '));
