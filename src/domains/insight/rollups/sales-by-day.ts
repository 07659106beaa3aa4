import { type Clock, DAY, SECOND } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import { isCancelled, supplierIn } from '../../sales/orders/orders.ts';

/** The upper ends of the classes of delivery times, with the column that counts each. */
export const tookClasses = [
  { column: 'took_1s', upToSeconds: 1 },
  { column: 'took_5s', upToSeconds: 5 },
  { column: 'took_30s', upToSeconds: 30 },
  { column: 'took_2m', upToSeconds: 120 },
  { column: 'took_10m', upToSeconds: 600 },
  { column: 'took_1h', upToSeconds: 3_600 },
  { column: 'took_longer', upToSeconds: null },
] as const;

/**
 * A partner's orders from a time up to another, with what figures need of each. Everything is in the order's own row: a failed order
 * was refunded in full, and of a delivered one `refunded` says how much. Closed orders are found by the index of weeks, open ones by
 * that of orders to provision.
 */
export function ordersBetween(partnerId: Sql, from: Sql, to: Sql): Sql {
  const columns = sql`
    partner_id, created_at, product_id as plan, country_code as destination, ${supplierIn(sql`supplier`)} as supplier, status, sale_price,
    paid_at is not null as is_paid, ${isCancelled} as is_cancelled, cost_micros > 0 as is_costed,
    case when status = 2 and paid_at is not null then sale_price else refunded end as returned,
    case when paid_at is null or status = 2 then 0 when status = 1 then coalesce(charged_micros, cost_micros) else cost_micros end as cost,
    -- A test clock that was reset in between makes the delivery the earlier of the two.
    case when status = 1 and not ${isCancelled} then greatest(0, extract(epoch from delivered_at - paid_at) * 1000)::bigint end as took_ms`;
  const week = (at: Sql) => sql`date_trunc('week', ${at} at time zone 'UTC')`;
  const isMine = sql`partner_id = ${partnerId} and created_at >= ${from} and created_at < ${to}`;
  return sql`
    select ${columns} from orders
    where ${isMine} and provision_due_at is null and ${week(sql`created_at`)} between ${week(from)} and ${week(to)}
    union all
    select ${columns} from orders where ${isMine} and provision_due_at is not null`;
}

const inClass = (lower: number, upper: number | null): string =>
  `count(*) filter (where took_ms > ${lower * 1000}${upper === null ? '' : ` and took_ms <= ${upper * 1000}`})`;
const sumIf = (what: string, which: string): string => `coalesce(sum(${what}) filter (where ${which}), 0)`;

/** The columns of the daily tables, each with its sum over rows of `ordersBetween`. */
const sums: ReadonlyMap<string, string> = new Map([
  ['orders', 'count(*) filter (where is_paid)'],
  ['refused', 'count(*) filter (where not is_paid and status = 2)'],
  ['delivered', 'count(*) filter (where status = 1 and not is_cancelled)'],
  ['failed', 'count(*) filter (where is_paid and status = 2 and not is_cancelled)'],
  ['cancelled', 'count(*) filter (where is_paid and is_cancelled)'],
  ['charged', sumIf('sale_price', 'is_paid')],
  ['returned', 'sum(returned)'],
  ['costed', 'count(*) filter (where is_paid and is_costed)'],
  ['costed_charged', sumIf('sale_price', 'is_paid and is_costed')],
  ['costed_returned', sumIf('returned', 'is_costed')],
  ['cost_micros', sumIf('cost', 'is_costed')],
  ['took_ms', 'coalesce(sum(took_ms), 0)'],
  ...tookClasses.map(
    ({ column, upToSeconds }, i) =>
      [column, inClass(tookClasses[i - 1]?.upToSeconds ?? -1, upToSeconds)] as [string, string],
  ),
]);

export const sumColumns: readonly string[] = [...sums.keys()];
/** A select list: the sums over rows of `ordersBetween`. */
export const sumsOfOrders: Sql = raw([...sums].map(([name, sum]) => `(${sum})::bigint as ${name}`).join(', '));
/** A select list: the sums over rows of a daily table. */
export const sumsOfDays: Sql = raw(sumColumns.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '));

/*
 * Daily sums of orders, so that a chart of a year reads some thousand rows and not a million orders.
 *
 * `partner_sales_by_day` has a row for each partner, day, supplier and destination; `sales_by_day` is the sum of these over all
 * partners; `partner_plans_by_day` says what each partner bought of each plan. Days are those of `created_at` in UTC. Whatever happens to an order later (delivery, failure, a refund months after) counts
 * in the day it was placed.
 *
 * Days are recomputed as a whole, never adjusted by differences. When an order is changed or deleted, or placed as a closed one, a trigger
 * adds its partner and day to `order_days_changed`. A pass of the job takes these rows, sums up the orders of each such partner and day
 * again, and replaces what was stored, all in one transaction. An open order that is new leaves no row, because a purchase would leave
 * two: passes look for those themselves, and count the days of all that were placed since a day before the last pass. A pass that is
 * killed has done nothing; a day that is summed up twice has the same result. What is committed while a pass runs is a new open order or
 * leaves a row, so the next one counts it.
 *
 * Only one pass runs at a time, whatever the number of processes: it holds the row of `sales_by_day_progress`. Two at once could write
 * the same day, and the one with the older view of the orders might write last.
 *
 * Orders placed before the trigger existed are covered by walking through all orders once, in the order of ids. To have everything
 * counted again, delete the row of `sales_by_day_progress`.
 *
 * docs/benchmarks.md says what reading the orders themselves would take. Charts by the hour and the comparison with last week are of one
 * partner and a few days, and read its orders.
 */
const EVERY_MS = 5 * SECOND;
/**
 * Orders in one step of the walk, and changes in one pass. Changes are many more, because a busy partner's day is summed up as a
 * whole: once for all its changes, not once for every few.
 */
const ORDERS = 2_000;
const CHANGES = 50_000;
/** A pass sums up whole days, so for a busy partner it takes longer as the day grows. At most this share of the time goes into passes. */
const SHARE_OF_TIME = 1 / 50;

export function salesByDayJob({ schema, db }: { schema: string; db: Db }, clock: Clock): Job {
  let restsUntil = 0;
  return {
    name: `sales by day ${schema}`,
    everyMs: EVERY_MS,
    async run() {
      const began = performance.now();
      if (began < restsUntil) return 0;
      const found = await countChangedDays(db, clock);
      const ended = performance.now();
      // The first walk through all orders does not rest: until it ends, charts are incomplete.
      const restMs = (ended - began) / SHARE_OF_TIME;
      if (found === 0 && restMs > EVERY_MS) restsUntil = ended + restMs;
      return found;
    },
  };
}

/** One day of one partner. Days are text: they have no time zone. */
interface PartnerDay {
  readonly partnerId: number;
  readonly day: string;
}

/** One pass, of at most `batch` orders and changes. Returns 0 when nothing is left to count for now. */
export async function countChangedDays(db: Db, clock: Clock, batch?: number): Promise<number> {
  const [orders, changes] = [batch ?? ORDERS, batch ?? CHANGES];
  const at = new Date(clock.now());
  return db.tx(async (tx) => {
    const progress = await holdProgress(tx);
    if (!progress) return 0;
    const changed = await takeChanged(tx, changes);
    const open = await daysWithNewOpenOrders(tx, progress.countedUntil);
    const filled = progress.isFilled ? [] : await fill(tx, progress.filledTo, orders);
    const days = distinct([...changed.days, ...open, ...filled]);
    if (days.length > 0) {
      await sumPartnerDays(tx, days);
      await sumDays(tx, [...new Set(days.map(({ day }) => day))]);
    }
    if (changed.count === changes || filled.length === orders) return days.length;
    await tx.run(sql`update sales_by_day_progress set counted_until = ${at}`);
    return 0;
  });
}

interface Progress {
  readonly filledTo: bigint;
  readonly isFilled: boolean;
  readonly countedUntil: Date | null;
}

/** Undefined: another pass holds it. */
async function holdProgress(tx: Tx): Promise<Progress | undefined> {
  await tx.run(sql`insert into sales_by_day_progress default values on conflict do nothing`);
  return tx.maybe(sql`
    select filled_to as "filledTo", is_filled as "isFilled", counted_until as "countedUntil" from sales_by_day_progress for update skip locked`);
}

const columns = raw(sumColumns.join(', '));

async function takeChanged(tx: Tx, limit: number): Promise<{ days: PartnerDay[]; count: number }> {
  const rows = await tx.query<PartnerDay & { count: number }>(sql`
    with taken as (
      delete from order_days_changed where ctid = any (array(select ctid from order_days_changed limit ${limit}))
      returning partner_id, day)
    select partner_id as "partnerId", day::text as day, count(*)::int as count from taken group by 1, 2`);
  return { days: rows, count: rows.reduce((sum, { count }) => sum + count, 0) };
}

/** `created_at` is the time of a request, and its order is committed within a day. Clocks of accounts are never behind. */
const daysWithNewOpenOrders = (tx: Tx, countedUntil: Date | null): Promise<PartnerDay[]> =>
  tx.query(sql`
    select distinct partner_id as "partnerId", (created_at at time zone 'UTC')::date::text as day
    from orders where provision_due_at is not null and created_at > ${new Date((countedUntil?.getTime() ?? 0) - DAY)}`);

/** The next step of the walk. It ends with the first step that finds fewer orders than it could. */
async function fill(tx: Tx, filledTo: bigint, batch: number): Promise<PartnerDay[]> {
  const found = await tx.query<PartnerDay & { id: bigint }>(sql`
    select id, partner_id as "partnerId", (created_at at time zone 'UTC')::date::text as day
    from orders where id > ${filledTo} order by id limit ${batch}`);
  await tx.run(sql`
    update sales_by_day_progress set filled_to = ${found.at(-1)?.id ?? filledTo}, is_filled = ${found.length < batch}`);
  return found;
}

const distinct = (days: readonly PartnerDay[]): PartnerDay[] => [
  ...new Map(days.map(({ partnerId, day }) => [`${partnerId} ${day}`, { partnerId, day }])).values(),
];

async function sumPartnerDays(tx: Tx, days: readonly PartnerDay[]): Promise<void> {
  const wanted = sql`
    unnest(${days.map(({ partnerId }) => partnerId)}::int[], ${days.map(({ day }) => day)}::date[]) as wanted (partner_id, day)`;
  const beginning = sql`(wanted.day::timestamp at time zone 'UTC')`;
  const isWanted = sql`kept.partner_id = wanted.partner_id and kept.day = wanted.day`;
  const placed = sql`${wanted} cross join lateral (
    ${ordersBetween(sql`wanted.partner_id`, beginning, sql`(${beginning} + interval '1 day')`)}) as placed`;
  await tx.run(sql`delete from partner_sales_by_day as kept using ${wanted} where ${isWanted}`);
  await tx.run(sql`delete from partner_plans_by_day as kept using ${wanted} where ${isWanted}`);
  await tx.run(sql`
    with placed as materialized (select wanted.partner_id as partner, wanted.day as placed_on, placed.* from ${placed}),
    plans as (
      insert into partner_plans_by_day (partner_id, day, plan, destination, orders, charged, returned)
      select partner, placed_on, plan, destination, count(*), sum(sale_price), sum(returned)
      from placed where is_paid group by 1, 2, 3, 4)
    insert into partner_sales_by_day (partner_id, day, supplier, destination, ${columns})
    select partner, placed_on, supplier, destination, ${sumsOfOrders} from placed group by 1, 2, 3, 4`);
}

async function sumDays(tx: Tx, days: readonly string[]): Promise<void> {
  await tx.run(sql`delete from sales_by_day where day = any (${days}::date[])`);
  await tx.run(sql`
    insert into sales_by_day (day, supplier, destination, ${columns})
    select day, supplier, destination, ${sumsOfDays} from partner_sales_by_day
    where day = any (${days}::date[]) group by 1, 2, 3`);
}

/** Until when all changes of orders are counted, in real time; null: orders of before an upgrade are still being counted. */
export async function readCountedUntil(db: Queryable): Promise<Date | null> {
  const row = await db.maybe<{ until: Date | null }>(sql`select counted_until as until from sales_by_day_progress`);
  return row?.until ?? null;
}

/** For resetting an account, in the transaction that has deleted its orders. It waits for a pass, which may have read them. */
export async function forgetSales(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`select from sales_by_day_progress for update`);
  await tx.run(sql`delete from partner_sales_by_day where partner_id = ${partnerId}`);
  await tx.run(sql`delete from partner_plans_by_day where partner_id = ${partnerId}`);
}
