import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { pinned } from '../../../platform/db/query/pinned.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { ordersBetween, sumColumns, sumsOfDays, sumsOfOrders, tookClasses } from '../rollups/rollups.ts';
import { filled, type Span } from './span.ts';

/** The outcomes of the orders placed in a period. */
export interface OrderCounts {
  /** Charged, whatever their outcome. */
  readonly orders: number;
  /** Purchases that were refused without a charge. */
  readonly refused: number;
  readonly delivered: number;
  readonly failed: number;
}

export interface Spent {
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

export interface PartnerSums extends OrderCounts, Spent {
  /** All delivered orders together. */
  readonly tookMs: number;
}

export interface PartnerFigures {
  readonly points: readonly (PartnerSums & { readonly at: Date })[];
  readonly total: PartnerSums;
  /** How many were delivered in up to so many seconds, and in more than the class before. */
  readonly took: readonly { readonly upToSeconds: number | null; readonly orders: number }[];
  /** Where something was bought, most orders first. */
  readonly destinations: readonly (PartnerSums & { readonly code: string; readonly title: string })[];
}

type Row = Record<'orders' | 'refused' | 'delivered' | 'failed' | 'charged' | 'returned' | 'took_ms', bigint> &
  Record<(typeof tookClasses)[number]['column'], bigint> & {
    readonly kind: 'total' | 'point' | 'destination';
    readonly at: Date | null;
    readonly code: string | null;
    readonly title: string | null;
  };

/** Hours are read from the orders, days and months from the sums of days. */
export async function readPartnerFigures(db: Queryable, partnerId: number, span: Span): Promise<PartnerFigures> {
  const { from, to, per } = span;
  const source =
    per === 'hour'
      ? sql`
        select date_trunc('hour', created_at, 'UTC') as at, destination, ${sumsOfOrders}
        from (${ordersBetween(sql`${partnerId}::int`, sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) as placed group by 1, 2`
      : sql`
        select date_trunc(${per}, day::timestamp) at time zone 'UTC' as at, destination, ${raw(sumColumns.join(', '))}
        from partner_sales_by_day where ${pinned('partner_id', partnerId)} and ${isInDays(span)}`;
  const rows = await db.query<Row>(sql`
    select counted.*, coalesce(destinations.title, counted.code) as title from (
      select case grouping(at, destination) when 3 then 'total' when 1 then 'point' else 'destination' end as kind,
        at, destination as code, ${sumsOfDays}
      from (${source}) as source group by grouping sets ((), (at), (destination))
    ) as counted left join destinations on destinations.code = counted.code
    order by counted.orders desc, counted.code`);
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const [total] = of('total');
  return {
    points: filled(
      span,
      of('point').flatMap((row) => (row.at ? [{ ...sumsIn(row), at: row.at }] : [])),
      (at) => ({ ...nothingBought, at }),
    ),
    total: total ? sumsIn(total) : nothingBought,
    took: tookClasses.map(({ column, upToSeconds }) => ({ upToSeconds, orders: Number(total?.[column] ?? 0) })),
    destinations: of('destination').flatMap((row) =>
      row.orders > 0n ? [{ ...sumsIn(row), code: row.code ?? '', title: row.title ?? '' }] : [],
    ),
  };
}

export const isInDays = ({ from, to }: Pick<Span, 'from' | 'to'>): Sql =>
  sql`day >= ${from.toISOString().slice(0, 10)}::date and day < ${to.toISOString().slice(0, 10)}::date`;

const sumsIn = ({ orders, refused, delivered, failed, charged, returned, took_ms }: Row): PartnerSums => ({
  ...{ orders: Number(orders), refused: Number(refused), delivered: Number(delivered), failed: Number(failed) },
  ...{ charged: toCents(charged), returned: toCents(returned), tookMs: Number(took_ms) },
});

const nothingBought: PartnerSums = {
  ...{ orders: 0, refused: 0, delivered: 0, failed: 0, tookMs: 0 },
  ...{ charged: 0n as Cents, returned: 0n as Cents },
};

export interface PlanBought extends Spent {
  readonly at: Date;
  readonly plan: string;
  readonly destination: string;
  readonly orders: number;
}

/** By day or month: plans are not counted by the hour. */
export const readPlansBought = (db: Queryable, partnerId: number, span: Span): Promise<PlanBought[]> =>
  db.query(sql`
    select date_trunc(${span.per === 'month' ? 'month' : 'day'}, day::timestamp) at time zone 'UTC' as at, plan, destination,
      sum(orders)::float8 as orders, sum(charged)::bigint as charged, sum(returned)::bigint as returned
    from partner_plans_by_day where partner_id = ${partnerId} and ${isInDays(span)} group by 1, 2, 3 order by 1, 2, 3`);
