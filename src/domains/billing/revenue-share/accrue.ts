import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { shareDue } from '../../sales/orders/orders.ts';
import type { Candidate } from './candidates.ts';
import type { Share } from './formula.ts';

export interface Accrual {
  readonly sale: Candidate;
  readonly planMb: number;
  readonly usedMb: number;
  /** The share of the whole sale. */
  readonly share: Share;
  /** The part of it that counts after refunds. */
  readonly amount: Cents;
}

/**
 * Writes the `shadow` rows and closes their sales in one statement, so a sale either has its row and is closed, or neither. A
 * sale that already has a share keeps it. Returns how many rows are new.
 */
export async function accrue(db: Queryable, accruals: readonly Accrual[], at: Date): Promise<number> {
  if (accruals.length === 0) return 0;
  const column = <T>(pick: (accrual: Accrual) => T): T[] => accruals.map(pick);
  const { made } = await db.one<{ made: bigint }>(sql`
    with made as (
      insert into revenue_shares (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost_micros, unused_cost_micros,
        share_pct, full_amount, amount, capped, created_at)
      select order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost, unused_cost, share_pct / 100.0, full_amount, amount,
        capped, ${at}
      from unnest(
        ${column(({ sale }) => sale.orderId)}::bigint[], ${column(({ sale }) => sale.partnerId)}::int[],
        ${column(({ planMb }) => planMb)}::int[], ${column(({ usedMb }) => usedMb)}::int[],
        ${column(({ share }) => share.unusedMb)}::int[], ${column(({ share }) => share.unitCost)}::bigint[],
        ${column(({ share }) => share.unusedCost)}::bigint[], ${column(({ sale }) => sale.sharePct)}::bigint[],
        ${column(({ share }) => share.amount)}::bigint[], ${column(({ amount }) => amount)}::bigint[],
        ${column(({ share }) => share.capped)}::boolean[]
      ) as accrual (order_id, partner_id, plan_mb, used_mb, unused_mb, unit_cost, unused_cost, share_pct, full_amount,
        amount, capped)
      order by order_id
      on conflict (order_id) do nothing
      returning partner_id, amount, unused_mb
    ), counted as (
      insert into revenue_share_totals as total (partner_id, kind, amount, unused_mb)
      select partner_id, 'shadow', sum(amount), sum(unused_mb) from made group by partner_id order by partner_id
      on conflict (partner_id, kind) do update
        set amount = total.amount + excluded.amount, unused_mb = total.unused_mb + excluded.unused_mb
    ), closed as (
      ${shareDue.close(column(({ sale }) => sale.orderId))}
    )
    select count(*) as made from made`);
  return Number(made);
}
