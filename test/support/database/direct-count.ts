import type { Queryable } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';

/** The figures of a world as they should be: counted from the orders and the ledger, in one statement. */
export const directHours = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    with o as (
      select orders.*, coalesce(cancel_status = 'cancelled', false) as is_cancelled,
        case when cancel_status = 'cancelled' then null else extract(epoch from delivered_at - paid_at) end as seconds,
        (select coalesce(sum(abs(amount)), 0) from movements where order_id = orders.id and type = 'refund') as given_back
      from orders)
    select partner_id as "partnerId", date_trunc('hour', created_at, 'UTC') as hour,
      count(*) filter (where paid_at is not null)::int as orders,
      count(*) filter (where paid_at is null and status = 2)::int as refused,
      count(*) filter (where status = 1 and not is_cancelled)::int as delivered,
      count(*) filter (where paid_at is not null and status = 2 and not is_cancelled)::int as failed,
      count(*) filter (where is_cancelled)::int as cancelled,
      coalesce(sum(sale_price) filter (where paid_at is not null), 0)::bigint as charged,
      sum(given_back)::bigint as returned,
      array[count(*) filter (where status = 1 and seconds <= 1), count(*) filter (where status = 1 and seconds > 1 and seconds <= 5),
        count(*) filter (where status = 1 and seconds > 5 and seconds <= 30), count(*) filter (where status = 1 and seconds > 30 and seconds <= 120),
        count(*) filter (where status = 1 and seconds > 120 and seconds <= 600), count(*) filter (where status = 1 and seconds > 600 and seconds <= 3600),
        count(*) filter (where status = 1 and seconds > 3600)]::int[] as took
    from o group by 1, 2 order by 1, 2`);

/** The figures of plans as they should be. */
export const directPlans = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select partner_id as "partnerId", (created_at at time zone 'UTC')::date::text as day, product_id as plan,
      country_code as destination, count(*)::int as orders, sum(sale_price)::bigint as charged,
      sum((select coalesce(sum(abs(amount)), 0) from movements where order_id = orders.id and type = 'refund'))::bigint as returned
    from orders where paid_at is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4`);

export const countedPlans = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select partner_id as "partnerId", day::text as day, plan, destination, orders, charged, returned
    from partner_plans_by_day order by 1, 2, 3, 4`);

/** The operator's figures as they should be. */
export const directSales = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    with o as (
      select orders.*, coalesce(cancel_status = 'cancelled', false) as is_cancelled,
        case when cancel_status = 'cancelled' then null else extract(epoch from delivered_at - paid_at) end as seconds, cost_micros > 0 as is_costed,
        case when paid_at is null or status = 2 then 0 when status = 1 then coalesce(charged_micros, cost_micros) else cost_micros end as cost,
        (select coalesce(sum(abs(amount)), 0) from movements where order_id = orders.id and type = 'refund') as given_back
      from orders)
    select (created_at at time zone 'UTC')::date::text as day, partner_id as "partnerId", supplier, country_code as destination,
      count(*) filter (where paid_at is not null)::int as orders,
      count(*) filter (where paid_at is null and status = 2)::int as refused,
      count(*) filter (where status = 1 and not is_cancelled)::int as delivered,
      count(*) filter (where paid_at is not null and status = 2 and not is_cancelled)::int as failed,
      count(*) filter (where is_cancelled)::int as cancelled,
      coalesce(sum(sale_price) filter (where paid_at is not null), 0)::bigint as charged, sum(given_back)::bigint as returned,
      count(*) filter (where paid_at is not null and is_costed)::int as costed,
      coalesce(sum(sale_price) filter (where paid_at is not null and is_costed), 0)::bigint as "costedCharged",
      coalesce(sum(given_back) filter (where is_costed), 0)::bigint as "costedReturned",
      coalesce(sum(cost) filter (where is_costed), 0)::bigint as cost,
      count(*) filter (where status = 1 and seconds <= 1)::int as took_1s,
      count(*) filter (where status = 1 and seconds > 30 and seconds <= 120)::int as took_2m
    from o group by 1, 2, 3, 4 order by 1, 2, 3, 4`);

export const countedSales = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select day::text as day, partner_id as "partnerId", supplier, destination, orders, refused, delivered, failed, cancelled, charged, returned,
      costed, costed_charged as "costedCharged", costed_returned as "costedReturned", cost_micros as cost, took_1s, took_2m
    from partner_sales_by_day order by 1, 2, 3, 4`);

const sumsOfAll = sql`orders, delivered, failed, cancelled, charged, returned, costed, cost_micros, took_ms, took_1s, took_longer`;

/** The sums over all partners: what the rows of partners say. */
export const directSalesOfAll = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select day::text as day, supplier, destination, sum(orders)::bigint as orders, sum(delivered)::bigint as delivered,
      sum(failed)::bigint as failed, sum(cancelled)::bigint as cancelled, sum(charged)::bigint as charged, sum(returned)::bigint as returned, sum(costed)::bigint as costed,
      sum(cost_micros)::bigint as cost_micros, sum(took_ms)::bigint as took_ms, sum(took_1s)::bigint as took_1s,
      sum(took_longer)::bigint as took_longer
    from partner_sales_by_day group by 1, 2, 3 order by 1, 2, 3`);

export const countedSalesOfAll = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`select day::text as day, supplier, destination, ${sumsOfAll} from sales_by_day order by 1, 2, 3`);

export const directLedger = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select date_trunc('month', at at time zone 'UTC')::date::text as month, account, sum(debits)::bigint as debits, sum(credits)::bigint as credits
    from (
      select movement_id, debit as account, amount as debits, 0 as credits from transfers
      union all select movement_id, credit, 0, amount from transfers
    ) as side join movements on movements.id = movement_id group by 1, 2 order by 1, 2`);

export const countedLedger = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`select month::text as month, account, debits, credits from ledger_by_month order by 1, 2`);
