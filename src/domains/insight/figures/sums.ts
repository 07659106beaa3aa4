/*
 * Sums over the figures of all sales, so that the operator's page reads some thousand rows of a year and not a row for every partner
 * and day.
 *
 * `sale_day_sums` is what all partners sold in a day, by supplier, by destination, by both, and in all. `sale_running_sums` is what
 * each partner had sold before each Monday, so any weeks of theirs are the difference of two Mondays, however many there are.
 *
 * What counts into a day notes it in `sale_days_changed`, in the same statement. The sums of such a day may be wrong, so readers take
 * its rows instead, and the rows of its week where they look at partners (`sales-query.ts`). What a wrong day adds to the Mondays
 * after it is the same for all of them, and falls out of every difference that leaves its week out. A pass makes the sums of one such
 * day again and takes it off the list, in one transaction: killed, it has done nothing. It holds the row that counting holds, so
 * nothing is counted meanwhile. Today changes all the time and stays as it is until tomorrow.
 *
 * A refund of an old order changes one partner's row of every Monday since, which is little. If a day changes for so many partners that
 * one statement could not do all of that in time, the Mondays are gone through again from that week on, one in a pass; until they are
 * done, readers do without the later ones.
 */

import { type Clock, DAY } from '../../../platform/clock.ts';
import { ago } from '../../../platform/db/alerts.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { raw, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import { saleColumns, saleFigures, tookClasses } from './contributions.ts';
import { type CountedWorld, countSales, EVERY_MS, holdProgress } from './count.ts';

/** Counts all sales for the operator, then adds up the days that changed; for the live world. */
export const saleFiguresJob = ({ schema, db }: CountedWorld, clock: Clock): Job => ({
  name: `sale figures ${schema}`,
  everyMs: EVERY_MS,
  run: async () => (await countSales(db, clock)) || (await sumSales(db, clock)),
});

/** Running sums that are changed at once, where they are of more than one Monday. */
const MOST_AT_ONCE = 200_000;

/** Makes the sums of one day again, or the running sums of one more Monday. Returns 0 when there is nothing to do for now. */
export async function sumSales(db: Db, clock: Clock, mostAtOnce = MOST_AT_ONCE): Promise<number> {
  const today = new Date(Math.floor(clock.now() / DAY) * DAY).toISOString().slice(0, 10);
  return db.tx(async (tx) => {
    if (!(await holdProgress(tx, saleFigures, 'skip if held'))) return 0;
    const { changed, isRunning, runningTo, nextIsOver, first } = await tx.one<Next>(sql`
      select changed.day::text as changed, date_trunc('week', changed.day::timestamp)::date + 7 <= running_to as "isRunning",
        running_to::text as "runningTo", running_to + 7 <= (counted_until at time zone 'UTC')::date as "nextIsOver",
        (select date_trunc('week', min(day)::timestamp)::date::text from sale_figures) as first
      from sale_progress cross join (
        select min(day) as day from sale_days_changed where day < ${today}::date
      ) as changed`);
    if (changed !== null) {
      await sumDay(tx, changed);
      if (isRunning) await sumWeek(tx, sql`date_trunc('week', ${changed}::timestamp)::date`, mostAtOnce);
    } else if (runningTo !== null && nextIsOver) {
      await runTo(tx, sql`${runningTo}::date + 7`);
      await sumWeek(tx, sql`${runningTo}::date`, mostAtOnce);
    } else if (runningTo === null && first !== null) await runTo(tx, sql`${first}::date`);
    else return 0;
    return 1;
  });
}

/** What there is to do. Days are text: they have no time zone. */
interface Next {
  readonly changed: string | null;
  /** There are running sums of the Monday after that day. */
  readonly isRunning: boolean | null;
  readonly runningTo: string | null;
  /** The week after `runningTo` has passed, and is counted. */
  readonly nextIsOver: boolean | null;
  /** The Monday before which nothing was sold. */
  readonly first: string | null;
}

async function sumDay(tx: Tx, day: string): Promise<void> {
  await tx.run(sql`delete from sale_day_sums where day = ${day}::date`);
  await tx.run(sql`
    insert into sale_day_sums (day, supplier, destination, ${raw(saleColumns.join(', '))})
    ${inEveryWay(sql`day = ${day}::date`)}`);
  await tx.run(sql`delete from sale_days_changed where day = ${day}::date`);
}

/** Rows as those of `sale_day_sums`, from the figures themselves: most of the work is to add up the partners, which is done once. */
export const inEveryWay = (which: Sql): Sql => sql`
  select day, coalesce(supplier, '') as supplier, coalesce(destination, '') as destination, ${added(saleColumns)}
  from (
    select day, supplier, destination, ${added(saleColumns)} from sale_figures where ${which} group by day, supplier, destination
  ) as of_all group by day, cube (supplier, destination)`;

const added = (columns: readonly string[]) => raw(columns.map((name) => `sum(${name})::bigint as ${name}`).join(', '));

const runTo = (tx: Tx, monday: Sql): Promise<number> => tx.run(sql`update sale_progress set running_to = ${monday}`);

/** The columns of `sale_running_sums`: of a partner, no classes of delivery times are shown. */
const classes = new Set<string>(tookClasses.map(({ column }) => column));
export const runningColumns = saleColumns.filter((name) => !classes.has(name));
const running = ['counted', ...runningColumns];

/**
 * Adds to all Mondays after a week what they lack of it: what the week's rows come to now, less what the Monday after it has more than
 * the one before. That is everything, if the Monday after it has nothing yet.
 */
async function sumWeek(tx: Tx, monday: Sql, mostAtOnce: number): Promise<void> {
  const list = (each: (name: string) => string) => raw(running.map(each).join(', '));
  const { isDone } = await tx.one<{ isDone: boolean }>(sql`
    with known as (
      select partner_id, supplier, 1 as counted, ${raw(runningColumns.join(', '))} from sale_figures
      where day >= ${monday} and day < ${monday} + 7
      union all
      select partner_id, supplier, ${raw(running.join(', '))} from sale_running_sums where monday = ${monday} and supplier <> ''
      union all
      select partner_id, supplier, ${list((name) => `-${name}`)} from sale_running_sums
      where monday = ${monday} + 7 and supplier <> ''
    ), lacking as materialized (
      select partner_id, coalesce(supplier, '') as supplier, ${added(running)} from known group by partner_id, rollup (supplier)
      having (${list((name) => `sum(${name})`)}) <> (${list(() => '0')})
    ), later as materialized (
      select mondays, mondays = 1 or mondays * (select count(*) from lacking) <= ${mostAtOnce} as is_little
      from (select (running_to - ${monday}) / 7 as mondays from sale_progress) as progress
    ), changed as (
      insert into sale_running_sums as kept (monday, partner_id, supplier, ${raw(running.join(', '))})
      select ${monday} + 7 * n, lacking.* from later cross join generate_series(1, mondays) as n cross join lacking where is_little
      on conflict (monday, supplier, partner_id) do update set ${list((name) => `${name} = kept.${name} + excluded.${name}`)}
    )
    select is_little as "isDone" from later`);
  if (!isDone) await runTo(tx, monday);
}

const POOR_ORDERS = 10;
const POOR_SHARE = 0.1;

/** Suppliers that failed many of their last orders; by the sums of a day, except for days that have changed since. */
export const poorSuppliers = (now: number): Sql => sql`
  select 'poor_supplier' as kind, sum(failed)::float8 as count, null::timestamptz as since, supplier as of,
    round(100.0 * sum(failed) / sum(delivered + failed))::text as about
  from (
    select day, supplier, delivered, failed from sale_day_sums
    where destination = '' and supplier <> '' and day not in (select day from sale_days_changed)
    union all
    select day, supplier, delivered, failed from sale_figures where day in (select day from sale_days_changed)
  ) as sold where day >= (${ago(now, DAY)}::timestamptz at time zone 'UTC')::date
  group by supplier having sum(delivered + failed) >= ${POOR_ORDERS} and sum(failed) > ${POOR_SHARE}::numeric * sum(delivered + failed)`;
