import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Cents, formatCents, formatMicros, type Micros, toCents, toMicros } from '../money/money.ts';

/** A plan as operators see it, including what partners never see. */
export interface OperatorPlan {
  readonly product_id: string;
  readonly internal_id: number;
  readonly supplier: string;
  readonly supplier_plan: string;
  readonly title: string;
  readonly destination: string;
  readonly price: string;
  /** Null: unknown. */
  readonly cost: string | null;
  readonly on_sale: boolean;
}

export async function findPlan(db: Queryable, alias: string): Promise<OperatorPlan | undefined> {
  const row = await db.maybe<OperatorPlan & { price: bigint; cost: bigint | null }>(sql`
    select plans.alias as product_id, plans.id as internal_id, suppliers.slug as supplier, plans.supplier_plan, plans.title,
      plans.destination, plans.list_price as price, plans.cost, plans.on_sale
    from plans join suppliers on suppliers.id = plans.supplier_id where plans.alias = ${alias}`);
  return (
    row && {
      ...row,
      price: formatCents(toCents(row.price)),
      cost: row.cost === null ? null : formatMicros(toMicros(row.cost)),
    }
  );
}

export interface PlanChange {
  readonly price: Cents | undefined;
  /** Null: make it unknown. */
  readonly cost: Micros | null | undefined;
  readonly onSale: boolean | undefined;
}

/** Undefined fields stay as they are. */
export async function setPlan(tx: Tx, alias: string, { price, cost, onSale }: PlanChange): Promise<void> {
  await tx.run(sql`
    update plans set list_price = coalesce(${price ?? null}, list_price), on_sale = coalesce(${onSale ?? null}, on_sale),
      cost = case when ${cost === undefined} then cost else ${cost ?? null}::bigint end
    where alias = ${alias}`);
}

export interface OperatorSupplier {
  readonly supplier: string;
  readonly title: string;
  readonly kind: string;
  readonly plans: number;
  readonly on_sale: number;
  readonly imported_at: Date | null;
}

export function listSuppliers(db: Queryable): Promise<OperatorSupplier[]> {
  return db.query<OperatorSupplier>(sql`
    select slug as supplier, suppliers.title, kind, count(plans.id)::int as plans,
      (count(*) filter (where plans.on_sale))::int as on_sale, imported_at
    from suppliers left join plans on plans.supplier_id = suppliers.id
    group by suppliers.id order by slug`);
}
