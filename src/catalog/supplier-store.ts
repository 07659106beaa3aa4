import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A supplier as operators see it. */
export interface OperatorSupplier {
  readonly supplier: string;
  readonly title: string;
  readonly kind: string;
  readonly plans: number;
  readonly on_sale: number;
  /** List prices follow cost by this much; null: they are the supplier's own. */
  readonly markup_pct: string | null;
  readonly imported_at: Date | null;
}

export function listSuppliers(db: Queryable): Promise<OperatorSupplier[]> {
  return db.query<OperatorSupplier>(sql`
    select slug as supplier, suppliers.title, kind, count(plans.id)::int as plans,
      (count(*) filter (where plans.on_sale))::int as on_sale, markup_pct, imported_at
    from suppliers left join plans on plans.supplier_id = suppliers.id
    group by suppliers.id order by slug`);
}

/** The next import applies it. `pct` has at most two places; null: list prices are the supplier's own again. */
export async function setMarkup(tx: Tx, slug: string, pct: string | null): Promise<void> {
  await tx.run(sql`update suppliers set markup_pct = ${pct}::numeric where slug = ${slug}`);
}
