import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Slices } from '../../../platform/limits/turns.ts';
import { type Destination, dataText, type Plan } from './plan.ts';
import { byHand, type OperatorPlan, type StoredTerms, withTerms } from './plan-store.ts';

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

interface FoundPlan extends Omit<OperatorPlan, 'refills'> {
  readonly destination_title: string;
  readonly data: string;
  readonly days: number;
  readonly is_refill: boolean;
}

type Row = StoredTerms<Omit<FoundPlan, 'data'>> & { readonly matched: number; readonly amountMb: number };

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
    plans: rows.map(({ amountMb, matched: _matched, ...row }) => ({ ...withTerms(row), data: dataText(amountMb) })),
  };
}

/** The first plans and destinations that match a text, up to that many. A plan must contain all its words; case does not matter. */
export async function searchByName(
  plans: readonly Plan[],
  text: string,
  most: number,
  slices: Slices,
): Promise<{ plans: Plan[]; destinations: Destination[] }> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = { plans: [] as Plan[], destinations: new Map<string, Destination>() };
  // A single letter matches too much.
  if (text.trim().length < SHORTEST) return { plans: [], destinations: [] };
  await slices.turn();
  for (const plan of plans) {
    if (slices.isOver()) await slices.turn();
    const { destination } = plan;
    if (found.destinations.size < most && matchesName(destination, words))
      found.destinations.set(destination.code, destination);
    if (found.plans.length < most && containsWords(plan, words)) found.plans.push(plan);
    if (found.plans.length >= most && found.destinations.size >= most) break;
  }
  return { plans: found.plans, destinations: [...found.destinations.values()] };
}

const SHORTEST = 2;

/** Every word begins a word of its name, or is its code. */
export function matchesName({ title, code }: Destination, words: readonly string[]): boolean {
  const names = [...title.toLowerCase().split(/[\s-]+/), code.toLowerCase()];
  return words.every((word) => names.some((one) => one.startsWith(word)));
}

export function containsWords(
  { title, destination, network, data, networkType, alias }: Plan,
  words: readonly string[],
): boolean {
  const text = `${destination.title} ${destination.code} ${title} ${data} ${data.replace(' ', '')} ${network.title} ${networkType} ${alias}`;
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** What plans can be filtered by, and price rules can name. */
export async function planChoices(db: Queryable) {
  const destinations = await db.query<{ code: string; scope: string; title: string }>(
    sql`select code, scope, title from destinations order by title`,
  );
  const suppliers = await db.query<{ slug: string; title: string }>(
    sql`select slug, title from suppliers order by title`,
  );
  return { destinations, suppliers };
}
