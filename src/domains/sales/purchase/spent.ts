import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** Whose orders of which time are summed up. */
export interface Spell {
  readonly partnerId: number;
  /** Undefined: those of all its keys, and of its members. */
  readonly keyId: number | undefined;
  readonly from: Date;
  readonly to: Date;
}

export interface Spent {
  readonly amount: Cents;
  readonly count: number;
}

/**
 * What orders cost in each spell, by the time they were made. Failed ones (status 2) do not count; refunded ones do. An index has all
 * of it (`orders_by_time`), and its condition must stand in the statement as it is: a parameter would not match it.
 */
export async function spentIn(db: Queryable, spells: readonly Spell[]): Promise<Spent[]> {
  if (spells.length === 0) return [];
  const rows = await db.query<{ amount: bigint; count: bigint }>(sql`
    select spent.amount, spent.count
    from unnest(
      ${spells.map(({ partnerId }) => partnerId)}::int[], ${spells.map(({ keyId }) => keyId ?? null)}::int[],
      ${spells.map(({ from }) => from)}::timestamptz[], ${spells.map(({ to }) => to)}::timestamptz[]
    ) with ordinality as spell (partner_id, key_id, starts, ends, n)
    cross join lateral (
      select coalesce(sum(sale_price), 0)::bigint as amount, count(*) as count from orders
      where orders.partner_id = spell.partner_id and created_at >= spell.starts and created_at < spell.ends
        and status <> 2 and (spell.key_id is null or orders.key_id = spell.key_id)
    ) as spent order by n`);
  return rows.map(({ amount, count }) => ({ amount: toCents(amount), count: Number(count) }));
}
