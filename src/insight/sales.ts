import type { Cents, Micros } from '../amounts/cents.ts';
import type { Queryable } from '../db/database.ts';
import { nothing, raw, type Sql, sql } from '../db/sql.ts';
import { tookClasses } from './contributions.ts';
import { filled, type Span } from './span.ts';

/** Sums over sales of all partners. */
export interface SaleSums {
  readonly orders: number;
  readonly refused: number;
  readonly delivered: number;
  readonly failed: number;
  readonly tookMs: number;
  readonly charged: Cents;
  readonly returned: Cents;
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

export interface Sales {
  readonly points: readonly (SaleSums & { readonly at: Date })[];
  readonly total: SaleSums;
  readonly took: readonly { readonly upToSeconds: number | null; readonly orders: number }[];
  readonly partners: readonly SalesBy[];
  readonly suppliers: readonly SalesBy[];
  readonly destinations: readonly SalesBy[];
}

/** Only sales of one partner, supplier or destination, or of several of these at once. */
export interface SalesFilter {
  readonly partnerId?: number | undefined;
  readonly supplier?: string | undefined;
  readonly destination?: string | undefined;
}

const sums = sql`
  coalesce(sum(orders), 0)::float8 as orders, coalesce(sum(refused), 0)::float8 as refused,
  coalesce(sum(delivered), 0)::float8 as delivered, coalesce(sum(failed), 0)::float8 as failed,
  coalesce(sum(took_ms), 0)::float8 as "tookMs",
  coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(returned), 0)::bigint as returned,
  coalesce(sum(costed), 0)::float8 as costed, coalesce(sum(costed_charged), 0)::bigint as "costedCharged",
  coalesce(sum(costed_returned), 0)::bigint as "costedReturned", coalesce(sum(cost_micros), 0)::bigint as cost`;
const tookSums = raw(tookClasses.map(({ column }) => `coalesce(sum(${column}), 0)::float8`).join(', '));

type Row = SaleSums & {
  readonly kind: 'total' | 'point' | 'partner' | 'supplier' | 'destination';
  readonly at: Date | null;
  readonly key: string | null;
  readonly title: string | null;
  readonly took: readonly number[];
};

/** Reads the days once and adds them up in every way that is shown. */
export async function readSales(db: Queryable, span: Span, filter: SalesFilter = {}): Promise<Sales> {
  const rows = await db.query<Row>(salesQuery(span, filter));
  const by = (kind: Row['kind']): SalesBy[] =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ kind: _, at: __, took: ___, ...row }) => ({
        ...row,
        key: row.key ?? '',
        title: row.title ?? row.key ?? '',
      }))
      .sort((a, b) => b.orders - a.orders || (a.key < b.key ? -1 : 1));
  const total = rows.find(({ kind }) => kind === 'total');
  const took = total?.took ?? [];
  return {
    points: filled(
      span,
      rows.flatMap(({ kind, at, key: _, title: __, took: ___, ...row }) =>
        kind === 'point' && at ? [{ ...row, at }] : [],
      ),
      (at) => ({ ...none, at }),
    ),
    total: total ? sumsOf(total) : none,
    took: tookClasses.map(({ upToSeconds }, i) => ({ upToSeconds, orders: took[i] ?? 0 })),
    partners: by('partner'),
    suppliers: by('supplier'),
    destinations: by('destination'),
  };
}

const sumsOf = ({ kind: _, at: __, key: ___, title: ____, took: _____, ...row }: Row): SaleSums => row;
const noCents = 0n as Cents;
const none: SaleSums = {
  ...{ orders: 0, refused: 0, delivered: 0, failed: 0, tookMs: 0, charged: noCents, returned: noCents },
  ...{ costed: 0, costedCharged: noCents, costedReturned: noCents, cost: 0n as Micros },
};

function salesQuery({ from, to, per }: Span, { partnerId, supplier, destination }: SalesFilter): Sql {
  const only = (column: Sql, value: string | number | undefined) =>
    value === undefined ? nothing : sql`and ${column} = ${value}`;
  return sql`
    with sums as (
      select beginning, partner_id, supplier, destination, grouping(beginning, partner_id, supplier, destination) as level,
        ${sums}, array[${tookSums}] as took
      from sale_figures cross join lateral (select date_trunc(${per}, day::timestamp) as beginning) as of
      where day >= (${from}::timestamptz at time zone 'UTC')::date and day < (${to}::timestamptz at time zone 'UTC')::date
        ${only(sql`partner_id`, partnerId)} ${only(sql`supplier`, supplier)} ${only(sql`destination`, destination)}
      group by grouping sets ((), (beginning), (partner_id), (supplier), (destination))
    )
    select sums.orders, sums.refused, sums.delivered, sums.failed, sums."tookMs", sums.charged, sums.returned, sums.costed,
      sums."costedCharged", sums."costedReturned", sums.cost, sums.took, beginning at time zone 'UTC' as at,
      case level when 15 then 'total' when 7 then 'point' when 11 then 'partner' when 13 then 'supplier' else 'destination' end as kind,
      coalesce(sums.partner_id::text, sums.supplier, sums.destination) as key,
      coalesce(partners.name, suppliers.title, destinations.title) as title
    from sums
    left join partners on partners.id = sums.partner_id
    left join suppliers on suppliers.slug = sums.supplier
    left join destinations on destinations.code = sums.destination`;
}

/** Until when all sales are counted, in real time; null: the first count is not finished. */
export async function readSalesCountedUntil(db: Queryable): Promise<Date | null> {
  const row = await db.maybe<{ until: Date | null }>(sql`select counted_until as until from sale_progress`);
  return row?.until ?? null;
}
