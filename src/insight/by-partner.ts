import type { Cents } from '../amounts/cents.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface SoldToPartner {
  readonly partnerId: number;
  /** Charged, whatever their outcome. */
  readonly orders: number;
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

/** What these partners bought since an hour. Partners without an order are left out. */
export function readSoldTo(db: Queryable, partnerIds: readonly number[], since: Date): Promise<SoldToPartner[]> {
  return db.query(sql`
    select partner_id as "partnerId", sum(orders)::float8 as orders, sum(charged)::bigint as charged,
      sum(returned)::bigint as returned
    from order_figures where partner_id = any(${partnerIds}::int[]) and hour >= ${since} group by partner_id`);
}
