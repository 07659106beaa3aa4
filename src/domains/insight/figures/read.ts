import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { pinned, raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { ordersBetween, sumColumns, sumsOfDays, sumsOfOrders, tookClasses } from '../rollups/rollups.ts';
import { filled, type Span } from './span.ts';

interface OrderCounts {
  /** Charged, whatever their outcome. */
  readonly orders: number;
  /** Purchases that were refused without a charge. */
  readonly refused: number;
  /** Those that were handed back are cancelled instead. */
  readonly delivered: number;
  readonly failed: number;
  /** The partner asked for that. Neither delivered nor failed. */
  readonly cancelled: number;
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

/** What a partner bought, as charts show it. */
export type PartnerFigures = Awaited<ReturnType<typeof readPartnerFigures>>;

/** Sums by the names of their columns, of all, of one point in time, or of something else that `kind` says. */
export type SumRow = Readonly<Record<string, unknown>> & { readonly kind: string; readonly at: Date | null };

export function sumsIn(row: Readonly<Record<string, unknown>>): PartnerSums {
  const { orders, refused, delivered, failed, cancelled, charged, returned, took_ms } = row as Record<string, bigint>;
  return {
    ...{ orders: Number(orders), refused: Number(refused), delivered: Number(delivered), failed: Number(failed) },
    cancelled: Number(cancelled),
    ...{ charged: toCents(charged as bigint), returned: toCents(returned as bigint), tookMs: Number(took_ms) },
  };
}

/** What charts show of rows of sums: every point, the total, and how long deliveries took. */
export function charted<Sums>(
  span: Span,
  rows: readonly SumRow[],
  sumsOf: (row: Readonly<Record<string, unknown>>) => Sums,
) {
  const none = sumsOf(Object.fromEntries(sumColumns.map((name) => [name, 0n])));
  const total = rows.find(({ kind }) => kind === 'total');
  const points = rows.flatMap((row) => (row.kind === 'point' && row.at ? [{ ...sumsOf(row), at: row.at }] : []));
  return {
    points: filled(span, points, (at) => ({ ...none, at })),
    total: total ? sumsOf(total) : none,
    /** How many were delivered in up to so many seconds, and in more than the class before. */
    took: tookClasses.map(({ column, upToSeconds }) => ({ upToSeconds, orders: Number(total?.[column] ?? 0) })),
  };
}

/** Hours are read from the orders, days and months from the sums of days. */
export async function readPartnerFigures(db: Queryable, partnerId: number, span: Span) {
  const { from, to, per } = span;
  const source =
    per === 'hour'
      ? sql`
        select date_trunc('hour', created_at, 'UTC') as at, destination, ${sumsOfOrders}
        from (${ordersBetween(sql`${partnerId}::int`, sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) as placed group by 1, 2`
      : sql`
        select date_trunc(${per}, day::timestamp) at time zone 'UTC' as at, destination, ${raw(sumColumns.join(', '))}
        from partner_sales_by_day where ${pinned('partner_id', partnerId)} and ${isInDays(span)}`;
  const rows = await db.query<SumRow & { readonly code: string | null; readonly title: string | null }>(sql`
    select counted.*, coalesce(destinations.title, counted.code) as title from (
      select case grouping(at, destination) when 3 then 'total' when 1 then 'point' else 'destination' end as kind,
        at, destination as code, ${sumsOfDays}
      from (${source}) as source group by grouping sets ((), (at), (destination))
    ) as counted left join destinations on destinations.code = counted.code
    order by counted.orders desc, counted.code`);
  return {
    ...charted(span, rows, sumsIn),
    /** Where something was bought, most orders first. */
    destinations: rows
      .filter(({ kind, orders }) => kind === 'destination' && (orders as bigint) > 0n)
      .map((row) => ({ ...sumsIn(row), code: row.code ?? '', title: row.title ?? '' })),
  };
}

export const isInDays = ({ from, to }: Pick<Span, 'from' | 'to'>): Sql =>
  sql`day >= ${from.toISOString().slice(0, 10)}::date and day < ${to.toISOString().slice(0, 10)}::date`;

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

/** The figures of today, of the same part of a day a week ago, and how fast money is spent. */
export interface Pace {
  readonly today: OrderCounts & Spent;
  readonly weekAgo: OrderCounts & Spent;
  readonly lastWeek: OrderCounts;
  /** What a day costs, from the last 14; undefined: too little is known. */
  readonly perDay: Cents | undefined;
}

/** The days that are compared: today from its beginning, and the same part of the day a week ago. */
export interface Days {
  readonly today: Date;
  readonly weekAgo: Date;
  readonly weekAgoUntil: Date;
  readonly now: Date;
}

const PACE_DAYS = 14;
const WEEK_DAYS = 7;
/** With fewer than this, one large order would decide. */
const ENOUGH_DAYS = 3;
const ENOUGH_ORDERS = 5;

interface PaceRow {
  readonly today: OrderCounts & { charged: string; returned: string };
  readonly weekAgo: PaceRow['today'];
  readonly lastWeek: PaceRow['today'];
  readonly last14: PaceRow['today'];
  /** Days, of 24 hours back from now, in which something was ordered. */
  readonly busyDays: number;
  readonly firstAt: Date | null;
}

/** The orders of 14 days. Orders that a test clock dated ahead of now are left out. */
export async function readPace(
  db: Queryable,
  partnerId: number,
  { today, weekAgo, weekAgoUntil, now }: Days,
): Promise<Pace> {
  const daysAgo = (days: number) => sql`${new Date(now.getTime() - days * DAY)}::timestamptz`;
  const sums = (which: Sql) => sql`jsonb_build_object(
    'orders', count(*) filter (where is_paid and ${which}), 'refused', count(*) filter (where not is_paid and status = 2 and ${which}),
    'delivered', count(*) filter (where status = 1 and not is_cancelled and ${which}),
    'failed', count(*) filter (where is_paid and status = 2 and not is_cancelled and ${which}),
    'cancelled', count(*) filter (where is_paid and is_cancelled and ${which}),
    'charged', coalesce(sum(sale_price) filter (where is_paid and ${which}), 0)::text,
    'returned', coalesce(sum(returned) filter (where ${which}), 0)::text)`;
  const row = await db.one<PaceRow>(sql`
    select ${sums(sql`created_at >= ${today}::timestamptz`)} as today,
      ${sums(sql`created_at >= ${weekAgo}::timestamptz and created_at < ${weekAgoUntil}::timestamptz`)} as "weekAgo",
      ${sums(sql`created_at >= ${daysAgo(WEEK_DAYS)}`)} as "lastWeek", ${sums(sql`true`)} as last14,
      count(distinct floor(extract(epoch from ${now}::timestamptz - created_at) / 86400)) filter (where is_paid)::int as "busyDays",
      min(created_at) filter (where is_paid) as "firstAt"
    from (
      ${ordersBetween(sql`${partnerId}::int`, daysAgo(PACE_DAYS), sql`${new Date(now.getTime() + 1)}::timestamptz`)}
    ) as placed`);
  const { orders, refused, delivered, failed, cancelled } = row.lastWeek;
  return {
    today: counted(row.today),
    weekAgo: counted(row.weekAgo),
    lastWeek: { orders, refused, delivered, failed, cancelled },
    perDay: perDayOf(row, now),
  };
}

const counted = ({ charged, returned, ...counts }: PaceRow['today']) => ({
  ...counts,
  charged: toCents(BigInt(charged)),
  returned: toCents(BigInt(returned)),
});

function perDayOf({ last14, busyDays, firstAt }: PaceRow, now: Date): Cents | undefined {
  const { charged, returned, orders } = counted(last14);
  const spent = charged - returned;
  if (busyDays < ENOUGH_DAYS || orders < ENOUGH_ORDERS || spent <= 0n || firstAt === null) return undefined;
  const days = Math.min(PACE_DAYS, Math.ceil((now.getTime() - firstAt.getTime()) / DAY));
  return toCents(spent / BigInt(days));
}
