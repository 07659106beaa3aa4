import { type Cents, type Micros, toCents, toMicros } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import { ago } from '../../../platform/db/alerts.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { sumColumns, sumsOfDays } from '../rollups/rollups.ts';
import { charted, isInDays, type PartnerSums, type SumRow, sumsIn } from './read.ts';
import type { Span } from './span.ts';

export interface SaleSums extends PartnerSums {
  /** Orders whose cost is known, with what was charged for them and given back of it: margins are of these alone. */
  readonly costed: number;
  readonly costedCharged: Cents;
  readonly costedReturned: Cents;
  readonly cost: Micros;
}

export interface SalesBy extends SaleSums {
  /** A partner's id, a supplier's slug, or a destination's code. */
  readonly key: string;
  readonly title: string;
}

export type Sales = Awaited<ReturnType<typeof readSales>>;

/** Only sales of one partner, supplier or destination, or of several of these at once. */
interface SalesFilter {
  readonly partnerId?: number | undefined;
  readonly supplier?: string | undefined;
  readonly destination?: string | undefined;
}

/** Whole days, from the first to the one after the last. */
type Dates = Pick<Span, 'from' | 'to'>;

const MOST_PARTNERS = 100;

type KeyedRow = SumRow & { readonly key: string | null; readonly title: string | null };

export async function readSales(db: Queryable, span: Span, filter: SalesFilter = {}) {
  const [rows, partners] = await Promise.all([
    db.query<KeyedRow>(salesQuery(span, filter)),
    db.query<KeyedRow & { partners: number }>(partnersQuery(span, filter)),
  ]);
  const of = (wanted: string) => mostFirst(rows.filter(({ kind }) => kind === wanted));
  return {
    ...charted(span, rows, saleSumsIn),
    /** Those with the most orders, `MOST_PARTNERS` at most. */
    partners: mostFirst(partners),
    partnersInAll: partners[0]?.partners ?? 0,
    suppliers: of('supplier'),
    destinations: of('destination'),
  };
}

const only = (column: Sql, value: string | number | undefined): Sql =>
  value === undefined ? nothing : sql`and ${column} = ${value}`;
const isWanted = (dates: Dates, { partnerId, supplier, destination }: SalesFilter): Sql => sql`
  ${isInDays(dates)} ${only(sql`partner_id`, partnerId)} ${only(sql`supplier`, supplier)} ${only(sql`destination`, destination)}`;

/** Only the sales of one partner need its own rows. */
const salesQuery = (span: Span, filter: SalesFilter): Sql => sql`
  select counted.*, coalesce(counted.supplier, counted.destination) as key, coalesce(suppliers.title, destinations.title) as title
  from (
    select case grouping(at, supplier, destination) when 7 then 'total' when 3 then 'point' when 5 then 'supplier' else 'destination' end as kind,
      at, supplier, destination, ${sumsOfDays}
    from (
      select date_trunc(${span.per}, day::timestamp) at time zone 'UTC' as at, supplier, destination, ${raw(sumColumns.join(', '))}
      from ${filter.partnerId === undefined ? sql`sales_by_day` : sql`partner_sales_by_day`} where ${isWanted(span, filter)}
    ) as sold group by grouping sets ((), (at), (supplier), (destination))
  ) as counted
  left join suppliers on suppliers.slug = counted.supplier left join destinations on destinations.code = counted.destination`;

/** Partners are ranked by their orders first, which an index has; all else is added up for those with the most. */
const partnersQuery = (dates: Dates, filter: SalesFilter): Sql => sql`
  select counted.*, counted.partner_id::text as key, partners.name as title from (
    select partner_id, best.partners, ${sumsOfDays}
    from (
      select partner_id, (count(*) over ())::int as partners from partner_sales_by_day where ${isWanted(dates, filter)}
      group by partner_id order by sum(orders) desc, partner_id::text collate "C" limit ${MOST_PARTNERS}
    ) as best cross join lateral (
      select ${raw(sumColumns.join(', '))} from partner_sales_by_day
      where partner_id = best.partner_id and ${isWanted(dates, { ...filter, partnerId: undefined })}
    ) as sold group by partner_id, best.partners
  ) as counted left join partners on partners.id = counted.partner_id`;

const mostFirst = (rows: readonly KeyedRow[]): SalesBy[] =>
  rows
    .map((row) => ({ ...saleSumsIn(row), key: row.key ?? '', title: row.title ?? row.key ?? '' }))
    .sort((a, b) => b.orders - a.orders || (a.key < b.key ? -1 : 1));

function saleSumsIn(row: Readonly<Record<string, unknown>>): SaleSums {
  const sum = (name: string) => row[name] as bigint;
  return {
    ...sumsIn(row),
    costed: Number(sum('costed')),
    costedCharged: toCents(sum('costed_charged')),
    costedReturned: toCents(sum('costed_returned')),
    cost: toMicros(sum('cost_micros')),
  };
}

export type SoldToPartner = Pick<PartnerSums, 'orders' | 'charged' | 'returned'> & { readonly partnerId: number };

/** What these partners bought on these days. Partners without an order are left out. */
export const readSoldTo = (db: Queryable, partnerIds: readonly number[], dates: Dates): Promise<SoldToPartner[]> =>
  db.query(sql`
    select partner_id as "partnerId", sum(orders)::float8 as orders, sum(charged)::bigint as charged, sum(returned)::bigint as returned
    from partner_sales_by_day where partner_id = any (${partnerIds}::int[]) and ${isInDays(dates)}
    group by partner_id having sum(orders) > 0`);

/** What each partner bought of each plan on these days. */
export const readSoldOfPlans = (db: Queryable, dates: Dates): Promise<(SoldToPartner & { readonly plan: string })[]> =>
  db.query(sql`
    select partner_id as "partnerId", plan, sum(orders)::float8 as orders, sum(charged)::bigint as charged, sum(returned)::bigint as returned
    from partner_plans_by_day where ${isInDays(dates)} group by 1, 2 having sum(charged) > 0`);

const POOR_ORDERS = 10;
const POOR_SHARE = 0.1;

/** Suppliers that failed many of the orders placed today and yesterday. */
export const poorSuppliers = (now: number): Sql => sql`
  select 'poor_supplier' as kind, sum(failed)::float8 as count, null::timestamptz as since, supplier as of,
    round(100.0 * sum(failed) / sum(delivered + failed))::text as about
  from sales_by_day where day >= (${ago(now, DAY)}::timestamptz at time zone 'UTC')::date
  group by supplier having sum(delivered + failed) >= ${POOR_ORDERS} and sum(failed) > ${POOR_SHARE}::numeric * sum(delivered + failed)`;
