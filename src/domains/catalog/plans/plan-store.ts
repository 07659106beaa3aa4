import {
  type Cents,
  formatCents,
  formatMicros,
  type Micros,
  toCents,
  toMicros,
} from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

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
  /** A refill: the supplier's codes of the plans it can be added to. Null: the plan is an eSIM. */
  readonly refills: readonly string[] | null;
  /** What was set by hand, so that imports leave it alone: `price`, `cost`, `on_sale`. */
  readonly by_hand: readonly string[];
}

export const byHand = sql`array_remove(array[case when price_by_hand then 'price' end,
  case when cost_by_hand then 'cost' end, case when on_sale_by_hand then 'on_sale' end], null)`;

/** Price and cost as their columns have them. */
export type StoredTerms<P extends { price: string; cost: string | null }> = Omit<P, 'price' | 'cost'> & {
  readonly price: bigint;
  readonly cost: bigint | null;
};

export const withTerms = <Row extends { readonly price: bigint; readonly cost: bigint | null }>(row: Row) => ({
  ...row,
  price: formatCents(toCents(row.price)),
  cost: row.cost === null ? null : formatMicros(toMicros(row.cost)),
});

export async function findPlan(db: Queryable, alias: string): Promise<OperatorPlan | undefined> {
  const row = await db.maybe<StoredTerms<OperatorPlan>>(sql`
    select plans.alias as product_id, plans.id as internal_id, suppliers.slug as supplier, plans.supplier_plan, plans.title,
      plans.destination, plans.list_price as price, plans.cost, plans.on_sale, plans.refills,
      ${byHand} as by_hand
    from plans join suppliers on suppliers.id = plans.supplier_id where plans.alias = ${alias}`);
  return row && withTerms(row);
}

/** `auto`: the next import decides again. Undefined: as it is. */
interface PlanChange {
  readonly price: Cents | 'auto' | undefined;
  /** Null: make it unknown. */
  readonly cost: Micros | null | 'auto' | undefined;
  readonly onSale: boolean | 'auto' | undefined;
}

/** An arbitrary number: the advisory lock that every change of plans holds until the end of its transaction. */
const PLANS_LOCK = 7_203_913;

/** Imports run one at a time, and nothing is set by hand between an import's read of a plan and its write. */
export async function holdPlans(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${PLANS_LOCK})`);
}

/** Whether the plan's supplier is off: then the plan is held back instead of going on sale. */
const isOff = sql`exists (select from suppliers where suppliers.id = plans.supplier_id and off_since is not null)`;

/** Sets terms of a plan by hand, so that imports leave them alone, or releases them. */
export async function setPlan(tx: Tx, alias: string, { price, cost, onSale }: PlanChange): Promise<void> {
  await holdPlans(tx);
  const given = <T>(value: T | 'auto' | undefined): T | null =>
    value === undefined || value === 'auto' ? null : value;
  const isByHand = (value: unknown): boolean | null => (value === undefined ? null : value !== 'auto');
  const newCost = cost !== undefined && cost !== 'auto';
  await tx.run(sql`
    update plans set
      list_price = coalesce(${given(price)}, list_price), price_by_hand = coalesce(${isByHand(price)}, price_by_hand),
      cost = case when ${newCost} then ${given(cost)}::bigint else cost end,
      cost_by_hand = coalesce(${isByHand(cost)}, cost_by_hand),
      on_sale = coalesce(${given(onSale)}, on_sale) and not ${isOff},
      is_held_back = coalesce(${given(onSale)}, is_held_back) and ${isOff}, on_sale_by_hand = coalesce(${isByHand(onSale)}, on_sale_by_hand)
    where alias = ${alias}`);
  // What an import decides again has to be in its list, also if the supplier has not changed it.
  if ([price, cost, onSale].includes('auto'))
    await tx.run(sql`
      update suppliers set list_version = null where id = (select supplier_id from plans where alias = ${alias})`);
}
