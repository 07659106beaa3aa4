import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { ordersBetween } from '../rollups/rollups.ts';
import type { OrderCounts, Spent } from './read.ts';

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

interface Row {
  readonly today: OrderCounts & { charged: string; returned: string };
  readonly weekAgo: Row['today'];
  readonly lastWeek: Row['today'];
  readonly last14: Row['today'];
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
    'delivered', count(*) filter (where status = 1 and ${which}), 'failed', count(*) filter (where is_paid and status = 2 and ${which}),
    'charged', coalesce(sum(sale_price) filter (where is_paid and ${which}), 0)::text,
    'returned', coalesce(sum(returned) filter (where ${which}), 0)::text)`;
  const row = await db.one<Row>(sql`
    select ${sums(sql`created_at >= ${today}::timestamptz`)} as today,
      ${sums(sql`created_at >= ${weekAgo}::timestamptz and created_at < ${weekAgoUntil}::timestamptz`)} as "weekAgo",
      ${sums(sql`created_at >= ${daysAgo(WEEK_DAYS)}`)} as "lastWeek", ${sums(sql`true`)} as last14,
      count(distinct floor(extract(epoch from ${now}::timestamptz - created_at) / 86400)) filter (where is_paid)::int as "busyDays",
      min(created_at) filter (where is_paid) as "firstAt"
    from (
      ${ordersBetween(sql`${partnerId}::int`, daysAgo(PACE_DAYS), sql`${new Date(now.getTime() + 1)}::timestamptz`)}
    ) as placed`);
  const { orders, refused, delivered, failed } = row.lastWeek;
  return {
    today: counted(row.today),
    weekAgo: counted(row.weekAgo),
    lastWeek: { orders, refused, delivered, failed },
    perDay: perDayOf(row, now),
  };
}

const counted = ({ charged, returned, ...counts }: Row['today']) => ({
  ...counts,
  charged: toCents(BigInt(charged)),
  returned: toCents(BigInt(returned)),
});

function perDayOf({ last14, busyDays, firstAt }: Row, now: Date): Cents | undefined {
  const { charged, returned, orders } = counted(last14);
  const spent = charged - returned;
  if (busyDays < ENOUGH_DAYS || orders < ENOUGH_ORDERS || spent <= 0n || firstAt === null) return undefined;
  const days = Math.min(PACE_DAYS, Math.ceil((now.getTime() - firstAt.getTime()) / DAY));
  return toCents(spent / BigInt(days));
}
