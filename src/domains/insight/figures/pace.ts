import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { OrderCounts, Spent } from './read.ts';

/** The figures of today, of the same part of a day a week ago, and how fast money is spent. Hours are whole. */
export interface Pace {
  readonly today: OrderCounts & Spent;
  readonly weekAgo: OrderCounts & Spent;
  /** Of the last seven days. */
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
  readonly lastWeek: OrderCounts;
  readonly spent: bigint;
  readonly orders: number;
  /** Days, of 24 hours back from now, in which something was ordered. */
  readonly busyDays: number;
  readonly firstHour: Date | null;
}

/**
 * One statement along the key of `order_figures`: at most as many rows as there are hours in 14 days. An account whose clock was
 * ahead and is back at the real time keeps the hours that are still to come: they are left out.
 */
export async function readPace(
  db: Queryable,
  partnerId: number,
  { today, weekAgo, weekAgoUntil, now }: Days,
): Promise<Pace> {
  const since = new Date(now.getTime() - PACE_DAYS * DAY);
  const counts = (which: ReturnType<typeof sql>) => sql`
    'orders', coalesce(sum(orders) filter (where ${which}), 0), 'refused', coalesce(sum(refused) filter (where ${which}), 0),
    'delivered', coalesce(sum(delivered) filter (where ${which}), 0), 'failed', coalesce(sum(failed) filter (where ${which}), 0)`;
  const sums = (which: ReturnType<typeof sql>) => sql`jsonb_build_object(${counts(which)},
    'charged', coalesce(sum(charged) filter (where ${which}), 0)::text,
    'returned', coalesce(sum(returned) filter (where ${which}), 0)::text)`;
  const isRecent = sql`hour >= ${new Date(now.getTime() - WEEK_DAYS * DAY)}::timestamptz`;
  const row = await db.one<Row>(sql`
    select ${sums(sql`hour >= ${today}::timestamptz`)} as today,
      ${sums(sql`hour >= ${weekAgo}::timestamptz and hour < ${weekAgoUntil}::timestamptz`)} as "weekAgo",
      jsonb_build_object(${counts(isRecent)}) as "lastWeek",
      coalesce(sum(charged - returned), 0)::bigint as spent, coalesce(sum(orders), 0)::float8 as orders,
      count(distinct floor(extract(epoch from ${now}::timestamptz - hour) / 86400)) filter (where orders > 0)::int as "busyDays",
      min(hour) filter (where orders > 0) as "firstHour"
    from order_figures where partner_id = ${partnerId} and hour >= ${since}::timestamptz and hour <= ${now}::timestamptz`);
  return {
    today: counted(row.today),
    weekAgo: counted(row.weekAgo),
    lastWeek: row.lastWeek,
    perDay: paceOf(row, now),
  };
}

const counted = ({ charged, returned, ...counts }: Row['today']) => ({
  ...counts,
  charged: toCents(BigInt(charged)),
  returned: toCents(BigInt(returned)),
});

function paceOf({ spent, orders, busyDays, firstHour }: Row, now: Date): Cents | undefined {
  if (busyDays < ENOUGH_DAYS || orders < ENOUGH_ORDERS || spent <= 0n || firstHour === null) return undefined;
  const days = Math.min(PACE_DAYS, Math.ceil((now.getTime() - firstHour.getTime()) / DAY));
  return toCents(spent / BigInt(days));
}
