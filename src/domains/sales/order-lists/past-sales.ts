import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, pinned, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { PastSale } from '../../supply/routes/routes.ts';
import { orderAttempts, stateOf, supplierIn } from '../orders/orders.ts';
import { idsAround } from './index-paths.ts';

/** The most that are read: of one plan, and of all. */
const MOST_SALES = { ofPlan: 5_000, ofAll: 20_000 } as const;

interface Row extends Omit<PastSale, 'end' | 'attempted'> {
  readonly status: number;
  readonly delivery: string;
  readonly attempted: Parameters<typeof orderAttempts.read>[0];
}

const columns = sql`id, product_id as "productId", sale_price as price, ${supplierIn(sql`supplier`)} as supplier,
  supplier_plan as "supplierPlan", coalesce(charged_micros, cost_micros) as cost, status, delivery,
  provision_attempts > 0 as "hasWaited", created_at as at`;
const isSale = sql`paid_at is not null and refill_of is null`;

/**
 * The newest sales since a time, of one plan or of all. Ids follow time here, so those that are looked at are found in indexes
 * alone: a plan's in that of each partner, all along the key. Then only these are read, and what is no sale, or older, is left out.
 */
export async function pastSales(
  db: Queryable,
  since: Date,
  productId: string | undefined,
): Promise<{ readonly sales: readonly PastSale[]; readonly isComplete: boolean }> {
  const { first } = await idsAround(db, { from: since, to: undefined });
  const most = productId === undefined ? MOST_SALES.ofAll : MOST_SALES.ofPlan;
  const newest = (where: Sql) => sql`
    select id from orders where ${where} ${first === undefined ? nothing : sql`and id >= ${first}`}
    order by id desc limit ${most + 1}`;
  const ids = await db.query<{ id: bigint }>(
    productId === undefined
      ? newest(sql`true`)
      : sql`
        select id from (
          select closed.id from shared.partners as owner cross join lateral (
            ${newest(sql`partner_id = owner.id and ${pinned('product_id', productId)} and provision_due_at is null`)}
          ) as closed
          union all (${newest(sql`provision_due_at is not null and product_id = ${productId}`)})
        ) as found order by id desc limit ${most + 1}`,
  );
  const rows = await db.query<Row>(sql`
    select ${columns}, ${orderAttempts.ofOrder(sql`orders.id`)} as attempted from orders
    where id = any(${ids.slice(0, most).map(({ id }) => id)}::bigint[]) and ${isSale} and created_at >= ${since}
    order by id desc`);
  const sales = rows.map(({ status, delivery, attempted, ...row }): PastSale => {
    const state = stateOf({ status, delivery });
    const end = state === 'delivered' || state === 'failed' ? state : 'open';
    return { ...row, end, attempted: orderAttempts.read(attempted) };
  });
  return { sales, isComplete: ids.length <= most };
}
