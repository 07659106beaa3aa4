import { formatCents, formatMicros, toCents, toMicros } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { dataText } from './plan.ts';
import { byHand } from './plan-store.ts';

interface PlanFilter {
  /** Words that all have to occur in title, destination, supplier's code or product id. */
  readonly text: string;
  readonly supplier: string | undefined;
  readonly destination: string | undefined;
  readonly onSale: boolean | undefined;
  readonly lacking: 'price' | 'cost' | undefined;
  /** Only plans of which something is set by hand. */
  readonly byHand: boolean;
  readonly beforeId: number | undefined;
  readonly limit: number;
}

interface FoundPlan {
  readonly internal_id: number;
  readonly product_id: string;
  readonly title: string;
  readonly destination: string;
  readonly destination_title: string;
  readonly supplier: string;
  readonly supplier_plan: string;
  readonly data: string;
  readonly days: number;
  readonly is_refill: boolean;
  readonly price: string;
  readonly cost: string | null;
  readonly on_sale: boolean;
  readonly by_hand: readonly string[];
}

type Row = Omit<FoundPlan, 'price' | 'cost' | 'data'> & {
  readonly matched: number;
  readonly amountMb: number;
  readonly price: bigint;
  readonly cost: bigint | null;
};

const MOST_WORDS = 8;
const searchedText = sql`lower(concat_ws(' ', plans.title, destinations.title, plans.destination, plans.supplier_plan, plans.alias))`;
const joined = (parts: readonly Sql[]): Sql => parts.reduce((all, one) => sql`${all} ${one}`, nothing);

/** Newest first, and the total number of matches. It reads every plan once: 50,000 take a few hundredths of a second. */
export async function searchPlans(db: Queryable, filter: PlanFilter): Promise<{ plans: FoundPlan[]; matched: number }> {
  const { supplier, destination, onSale, lacking, beforeId, limit } = filter;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const conditions: Sql[] = [
    supplier === undefined ? nothing : sql`and suppliers.slug = ${supplier}`,
    destination === undefined ? nothing : sql`and plans.destination = ${destination}`,
    onSale === undefined ? nothing : sql`and plans.on_sale = ${onSale}`,
    lacking === 'price' ? sql`and plans.list_price = 0` : nothing,
    lacking === 'cost' ? sql`and plans.cost is null` : nothing,
    filter.byHand ? sql`and (price_by_hand or cost_by_hand or on_sale_by_hand)` : nothing,
  ];
  // The text is made once for each plan, whatever the number of words: lower case costs more than everything else here.
  const rows = await db.query<Row>(sql`
    with narrowed as materialized (
      select plans.id, ${words.length === 0 ? sql`''` : searchedText} as text
      from plans join suppliers on suppliers.id = plans.supplier_id join destinations on destinations.code = plans.destination
      where true ${joined(conditions)}
    ), found as materialized (
      select id from narrowed where true ${joined(words.map((word) => sql`and strpos(text, ${word}) > 0`))}
    ), page as (
      select id from found ${beforeId === undefined ? nothing : sql`where id < ${beforeId}`} order by id desc limit ${limit}
    )
    select (select count(*) from found)::int as matched, plans.id as internal_id, plans.alias as product_id, plans.title,
      plans.destination, destinations.title as destination_title, suppliers.slug as supplier, plans.supplier_plan,
      plans.amount_mb as "amountMb", plans.day as days, plans.refills is not null as is_refill, plans.list_price as price,
      plans.cost, plans.on_sale, ${byHand} as by_hand
    from page join plans on plans.id = page.id join suppliers on suppliers.id = plans.supplier_id
    join destinations on destinations.code = plans.destination order by plans.id desc`);
  return {
    matched: rows[0]?.matched ?? 0,
    plans: rows.map(({ amountMb, matched: _matched, ...row }) => ({
      ...row,
      data: dataText(amountMb),
      price: formatCents(toCents(row.price)),
      cost: row.cost === null ? null : formatMicros(toMicros(row.cost)),
    })),
  };
}
