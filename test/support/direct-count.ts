import type { Queryable } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';

/** The figures of a world as they should be: counted from the orders and the ledger, in one statement. */
export const directHours = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    with o as (
      select orders.*, extract(epoch from delivered_at - paid_at) as seconds,
        (select coalesce(sum(abs(amount)), 0) from movements where order_id = orders.id and type = 'refund') as given_back
      from orders)
    select partner_id as "partnerId", date_trunc('hour', created_at, 'UTC') as hour,
      count(*) filter (where paid_at is not null)::int as orders,
      count(*) filter (where paid_at is null and status = 2)::int as refused,
      count(*) filter (where status = 1)::int as delivered,
      count(*) filter (where paid_at is not null and status = 2)::int as failed,
      coalesce(sum(sale_price) filter (where paid_at is not null), 0)::bigint as charged,
      sum(given_back)::bigint as returned,
      array[count(*) filter (where status = 1 and seconds <= 1), count(*) filter (where status = 1 and seconds > 1 and seconds <= 5),
        count(*) filter (where status = 1 and seconds > 5 and seconds <= 30), count(*) filter (where status = 1 and seconds > 30 and seconds <= 120),
        count(*) filter (where status = 1 and seconds > 120 and seconds <= 600), count(*) filter (where status = 1 and seconds > 600 and seconds <= 3600),
        count(*) filter (where status = 1 and seconds > 3600)]::int[] as took
    from o group by 1, 2 order by 1, 2`);

export const countedHours = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select partner_id as "partnerId", hour, orders, refused, delivered, failed, charged, returned,
      array[took_1s, took_5s, took_30s, took_2m, took_10m, took_1h, took_longer] as took
    from order_figures order by 1, 2`);

export const directDays = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select partner_id as "partnerId", (created_at at time zone 'UTC')::date::text as day, country_code as destination,
      count(*)::int as orders, count(*) filter (where status = 1)::int as delivered, count(*) filter (where status = 2)::int as failed,
      sum(sale_price)::bigint as charged,
      sum((select coalesce(sum(abs(amount)), 0) from movements where order_id = orders.id and type = 'refund'))::bigint as returned
    from orders where paid_at is not null group by 1, 2, 3 order by 1, 2, 3`);

export const countedDays = (db: Queryable): Promise<unknown[]> =>
  db.query(sql`
    select partner_id as "partnerId", day::text as day, destination, orders, delivered, failed, charged, returned
    from destination_figures order by 1, 2, 3`);
