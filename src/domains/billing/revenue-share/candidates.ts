import type { Cents, Micros } from '../../../platform/amounts/cents.ts';
import type { BasisPoints } from '../../../platform/amounts/percent.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Reading } from './schedule.ts';

/** A delivered sale without a share, with the last reading kept of its eSIM. */
export interface Candidate {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly supplier: string;
  readonly deliveredAt: Date;
  readonly listPrice: Cents;
  readonly salePrice: Cents;
  readonly refunded: Cents;
  readonly cost: Micros;
  readonly amountMb: number;
  /** Data of the sales that filled the same eSIM before this one. */
  readonly earlierMb: number;
  /** Data of all sales that filled the same eSIM, this one included. */
  readonly allMb: number;
  /** Its ICCID was sold again, so the readings belong to another sale; or an unlimited refill leaves nothing to measure. */
  readonly isVoid: boolean;
  readonly sharePct: BasisPoints;
  readonly reading: Reading | null;
}

type Row = Omit<Candidate, 'reading'> & {
  fetchedAt: Date | null;
  totalMb: number | null;
  usedMb: number;
  expiresAt: Date | null;
};

/** How much of an order's price was refunded so far. */
export const refundedOf = (orderId: Sql): Sql => sql`(
  select coalesce(sum(abs(amount)), 0)::bigint from movements where order_id = ${orderId} and type = 'refund')`;

/**
 * Sales that are due for a check, of partners with a rate. Each partner's sales are read from the front of an index, so rows
 * that are not due, already settled, or of partners without a rate are never touched.
 */
export async function dueSales(db: Queryable, now: Date, limit: number): Promise<Candidate[]> {
  const rows = await db.query<Row>(sql`
    select sale.id as "orderId", sale.partner_id as "partnerId", sale.supplier, sale.delivered_at as "deliveredAt",
      sale.product_price as "listPrice", sale.sale_price as "salePrice", sale.cost_micros as cost,
      sale.amount_mb as "amountMb", (partners.revenue_share_pct * 100)::bigint as "sharePct",
      ${refundedOf(sql`sale.id`)} as refunded,
      fills.earlier_mb as "earlierMb", fills.all_mb as "allMb",
      fills.has_unlimited or exists (
        select from orders later where later.iccid = sale.iccid and later.id > sale.id and later.status = 1 and later.refill_of is null
      ) as "isVoid",
      reading.fetched_at as "fetchedAt", reading.total_mb as "totalMb", reading.used_mb as "usedMb",
      reading.expires_at as "expiresAt"
    from partners
    cross join lateral (
      select id, partner_id, supplier, iccid, refill_of, delivered_at, product_price, sale_price, cost_micros, amount_mb from orders
      where partner_id = partners.id and status = 1 and not is_unlimited and cost_micros > 0
        and (usage_due_at is null or usage_due_at < 'infinity')
        and coalesce(usage_due_at, delivered_at) <= ${now}
      order by coalesce(usage_due_at, delivered_at) limit ${limit}
    ) sale
    cross join lateral (
      select coalesce(sum(fill.amount_mb) filter (where fill.id < sale.id), 0)::int as earlier_mb,
        sum(fill.amount_mb)::int as all_mb, bool_or(fill.is_unlimited) as has_unlimited
      from orders fill where fill.iccid = sale.iccid and fill.status = 1
        and coalesce(fill.refill_of, fill.id) = coalesce(sale.refill_of, sale.id)
    ) fills
    left join lateral (
      select fetched_at, total_mb, used_mb, expires_at from usage_readings where iccid = sale.iccid limit 1
    ) reading on true
    where partners.revenue_share_pct is not null and partners.deleted_at is null
    limit ${limit}`);
  return rows.map(({ fetchedAt, totalMb, usedMb, expiresAt, ...sale }) => ({
    ...sale,
    reading: fetchedAt && { fetchedAt, totalMb, usedMb, expiresAt },
  }));
}
