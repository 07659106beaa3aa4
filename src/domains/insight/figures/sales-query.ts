import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { saleColumns, tookClasses } from './contributions.ts';
import type { Span } from './span.ts';
import { inEveryWay, runningColumns } from './sums.ts';

/** Only sales of one partner, supplier or destination, or of several of these at once. */
export interface SalesFilter {
  readonly partnerId?: number | undefined;
  readonly supplier?: string | undefined;
  readonly destination?: string | undefined;
}

/** Partners in one answer: those with the most orders. */
export const MOST_PARTNERS = 100;

const sums = sql`
  coalesce(sum(orders), 0)::float8 as orders, coalesce(sum(refused), 0)::float8 as refused,
  coalesce(sum(delivered), 0)::float8 as delivered, coalesce(sum(failed), 0)::float8 as failed,
  coalesce(sum(took_ms), 0)::float8 as "tookMs",
  coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(returned), 0)::bigint as returned,
  coalesce(sum(costed), 0)::float8 as costed, coalesce(sum(costed_charged), 0)::bigint as "costedCharged",
  coalesce(sum(costed_returned), 0)::bigint as "costedReturned", coalesce(sum(cost_micros), 0)::bigint as cost`;
const tookSums = raw(`array[${tookClasses.map(({ column }) => `coalesce(sum(${column}), 0)::float8`).join(', ')}]`);

/** Whole days, from the first to the one after the last. */
export type Dates = Pick<Span, 'from' | 'to'>;

const dayOf = (at: Date): Sql => sql`${at.toISOString().slice(0, 10)}::date`;
const isIn = ({ from, to }: Span): Sql => sql`day >= ${dayOf(from)} and day < ${dayOf(to)}`;
const only = (column: Sql, value: string | number | undefined): Sql =>
  value === undefined ? nothing : sql`and ${column} = ${value}`;
const beginningOf = ({ per }: Span): Sql =>
  sql`cross join lateral (select date_trunc(${per}, day::timestamp) as beginning) as of`;

/** Adds up a row for every partner and day: for one partner. */
export const queryOfRows = (span: Span, { partnerId, supplier, destination }: SalesFilter): Sql => sql`
  with counted as (
    select grouping(beginning, partner_id, supplier, destination) as level, beginning, partner_id, supplier, destination,
      null::int as partners, ${sums}, ${tookSums} as took
    from sale_figures ${beginningOf(span)}
    where ${isIn(span)} ${only(sql`partner_id`, partnerId)} ${only(sql`supplier`, supplier)} ${only(sql`destination`, destination)}
    group by grouping sets ((), (beginning), (partner_id), (supplier), (destination))
  ), listed as (
    select case level when 15 then 'total' when 7 then 'point' when 11 then 'partner' when 13 then 'supplier' else 'destination' end as kind,
      counted.* from counted
  ) ${titled}`;

/**
 * Adds up the sums of days and of weeks (`sums.ts`), and the rows of those that have none or wrong ones: in one statement, so that a
 * day does not change in between. Partners are first ranked by their orders alone; all else is added up for those with the most.
 * `offset 0` has each day looked up by itself: the planner would read all there is between the first and the last.
 */
export function queryOfSums(span: Span, { supplier, destination }: SalesFilter): Sql {
  const [from, to] = [dayOf(span.from), dayOf(span.to)];
  const isWanted = sql`${only(sql`supplier`, supplier)} ${only(sql`destination`, destination)}`;
  const of = byPartner(span, { supplier, destination });
  const isSupplier = sql`supplier = ${supplier ?? ''}`;
  const isDestination = sql`destination = ${destination ?? ''}`;
  const columns = raw(saleColumns.join(', '));
  const days = (which: Sql) => sql`(
    select day, sums.* from known cross join lateral (
      select supplier, destination, ${columns} from sale_day_sums where day = known.day and ${which} offset 0
    ) as sums
    union all select day, supplier, destination, ${columns} from fresh where ${which}
  ) as days`;
  return sql`
    with ${changedAround(span)}, fresh as materialized (
      ${inEveryWay(sql`day in (select day from changed) and ${isIn(span)} ${isWanted}`)}
    ), known as materialized (
      select ${from} + n as day from generate_series(0, ${to} - ${from} - 1) as n where ${from} + n not in (select day from changed)
    ), ${of.weeks}, best as materialized (
      select partner_id, (count(*) over ())::int as partners from (${of.parts(['counted', 'orders'], nothing)}) as ranked
      group by partner_id having sum(counted) > 0
      order by sum(orders) desc, partner_id::text collate "C" limit ${MOST_PARTNERS}
    ), sold as (
      ${of.parts(runningColumns, sql`and partner_id = any (array(select partner_id from best))`)}
    ), listed as (
      select case grouping(beginning) when 1 then 'total' else 'point' end as kind, beginning, null::int as partner_id,
        null as supplier, null as destination, null::int as partners, ${sums}, ${tookSums} as took
      from ${days(sql`${isSupplier} and ${isDestination}`)} ${beginningOf(span)} group by grouping sets ((beginning), ())
      union all
      select 'supplier', null, null, supplier, null, null, ${sums}, null
      from ${days(sql`supplier <> '' and ${isDestination} ${only(sql`supplier`, supplier)}`)} group by supplier
      union all
      select 'destination', null, null, null, destination, null, ${sums}, null
      from ${days(sql`${isSupplier} and destination <> '' ${only(sql`destination`, destination)}`)} group by destination
      union all
      select 'partner', null, partner_id, null, null, (select max(partners) from best), ${sums}, null from sold group by partner_id
    ) ${titled}`;
}

const titled = sql`
  select listed.kind, beginning at time zone 'UTC' as at, coalesce(listed.partner_id::text, listed.supplier, listed.destination) as key,
    coalesce(partners.name, suppliers.title, destinations.title) as title, listed.partners, orders, refused, delivered, failed,
    "tookMs", charged, returned, costed, "costedCharged", "costedReturned", cost, took
  from listed
  left join partners on partners.id = listed.partner_id
  left join suppliers on suppliers.slug = listed.supplier
  left join destinations on destinations.code = listed.destination`;

/** What each of these partners sold in all. */
export function queryOfPartners(dates: Dates, partnerIds: readonly number[]): Sql {
  const { weeks, parts } = byPartner(dates, {});
  return sql`
    with ${changedAround(dates)}, ${weeks}
    select partner_id as "partnerId", sum(orders)::float8 as orders, sum(charged)::bigint as charged, sum(returned)::bigint as returned
    from (${parts(['orders', 'charged', 'returned'], sql`and partner_id = any (${partnerIds}::int[])`)}) as sold
    group by partner_id having sum(orders) > 0`;
}

/** The days around a span whose sums may be wrong. */
const changedAround = ({ from, to }: Dates): Sql => sql`
  changed as materialized (select day from sale_days_changed where day >= ${dayOf(from)} - 3 and day < ${dayOf(to)} + 3)`;

/**
 * What partners sold, as rows to be added up: `parts`, beside the queries `weeks`. Weeks come from running sums, where they have them and
 * nothing changed since: each adds its end and takes its beginning away, so of weeks in a row only the first beginning and the last end
 * are read. They begin and end with the Monday nearest to the span's own beginning and end; the days that this leaves out are added row
 * by row, and the extra ones subtracted. A single destination has no running sums: it has few rows anyway.
 */
function byPartner(
  dates: Dates,
  { supplier, destination }: SalesFilter,
): { readonly weeks: Sql; parts(columns: readonly string[], also: Sql): Sql } {
  const [from, to] = [dayOf(dates.from), dayOf(dates.to)];
  const isWanted = sql`${only(sql`supplier`, supplier)} ${only(sql`destination`, destination)}`;
  const nearest = (day: Sql) => sql`date_trunc('week', ${day}::timestamp + interval '3 days')::date`;
  const parts = (columns: readonly string[], also: Sql) => {
    const list = (each: (name: string) => string) => raw(columns.map(each).join(', '));
    const signed = list((name) => `sign * ${name} as ${name}`);
    return sql`
      select partner_id, ${signed} from ends cross join lateral (
        select partner_id, ${list((name) => name)} from sale_running_sums where monday = ends.monday and supplier = ${supplier ?? ''} ${also} offset 0
      ) as sums
      union all
      select partner_id, ${signed} from rest cross join lateral (
        select partner_id, ${list((name) => (name === 'counted' ? '1 as counted' : name))} from sale_figures
        where day = rest.day ${isWanted} ${also} offset 0
      ) as figures`;
  };
  const weeks = sql`
    weeks as materialized (
      select monday from generate_series(0, (${to} - ${from}) / 7 + 1) as n
      cross join lateral (select ${nearest(from)} + 7 * n as monday) as each
      where ${destination === undefined} and monday + 7 <= ${nearest(to)} and monday + 7 <= (select running_to from sale_progress)
        and not exists (select from changed where day >= monday and day < monday + 7)
    ), ends as materialized (
      select monday, sum(sign)::int as sign
      from (select monday, -1 as sign from weeks union all select monday + 7, 1 from weeks) as each
      group by monday having sum(sign) <> 0
    ), rest as materialized (
      select day, sign from generate_series(-3, ${to} - ${from} + 2) as n
      cross join lateral (select ${from} + n as day) as each
      cross join lateral (
        select (day >= ${from} and day < ${to})::int - (exists (select from weeks where day >= monday and day < monday + 7))::int as sign
      ) as counted
      where sign <> 0
    )`;
  return { weeks, parts };
}

export interface SoldToPartner {
  readonly partnerId: number;
  /** Charged, whatever their outcome. */
  readonly orders: number;
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

/** What these partners bought on these days. Partners without an order are left out. */
export const readSoldTo = (db: Queryable, partnerIds: readonly number[], dates: Dates): Promise<SoldToPartner[]> =>
  db.query(queryOfPartners(dates, partnerIds));
