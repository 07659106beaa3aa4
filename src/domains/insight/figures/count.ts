/*
 * Counting orders into the figures that the Insight page shows.
 *
 * Every order is counted once, in the order of ids, and so is every movement that gives money back. What a batch adds and how far
 * it came are written in one transaction, so a process that is killed leaves a batch counted or not counted, never half.
 *
 * Ids are taken before they are committed: order 1002 may be visible while 1001 is still being written, and counting past 1001
 * would miss it for good. So we count only up to a mark that is known to be complete:
 *   1. read the largest ids;
 *   2. only then, list the open transactions that write to wallets, orders or movements, by the locks they hold on these tables. A
 *      purchase locks its wallet before it takes ids, so one that may still commit an id up to the mark is on the list;
 *   3. once all on the list have ended (usually there are none, otherwise a pass later), everything up to the mark is committed
 *      or gone, and can be counted.
 * The transaction ids of a snapshot would tell that too, but they cover every database of the server: somebody else's long
 * transaction would stop the counting.
 *
 * An order that is still on its way is counted as such and noted in `orders_counted_open`; a later pass finds its end and adds
 * that. Money given back is read off the ledger, because it may happen months later, and several times.
 *
 * There are three sets of figures, each with its own tables and progress: what partners read, what they bought of each plan, and what
 * the operator reads of all sales and of the ledger. The last is kept of the live world alone.
 *
 * Resetting an account deletes orders that are counted. It removes the partner's figures in its own transaction, holding the same row
 * that a pass holds, so a pass cannot write back what it read before.
 */

import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import { supplierIn } from '../../sales/orders/orders.ts';
import { type FigureSet, factsOf, itsEnd, partnerFigures, planFigures, saleFigures } from './contributions.ts';

const BATCH = 5_000;
export const EVERY_MS = 5 * SECOND;

export interface CountedWorld {
  readonly schema: string;
  readonly db: Db;
}

export const figuresJob = (world: CountedWorld, clock: Clock): Job => ({
  name: `figures ${world.schema}`,
  everyMs: EVERY_MS,
  run: () => countOrders(world.db, clock),
});

/** Counts what partners bought of each plan. */
export const planFiguresJob = ({ schema, db }: CountedWorld, clock: Clock): Job => ({
  name: `plan figures ${schema}`,
  everyMs: EVERY_MS,
  run: () => countPlans(db, clock),
});

interface Progress {
  readonly ordersTo: bigint;
  readonly movementsTo: bigint;
  readonly markOrders: bigint;
  readonly markMovements: bigint;
  readonly markAt: Date;
  readonly isComplete: boolean;
  /** Whether an order was on its way when it was counted. */
  readonly hasOpen: boolean;
}

/** `virtualtransaction` names a transaction as long as the server runs. Readers, vacuum and index builds take other locks. */
const openWriters = sql`
  select virtualtransaction as id from pg_locks
  where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
    and relation in ('wallets'::regclass, 'orders'::regclass, 'movements'::regclass)
    and mode in ('RowShareLock', 'RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`;

const columns = ({ open }: FigureSet) => sql`
  orders_to as "ordersTo", movements_to as "movementsTo", mark_orders as "markOrders", mark_movements as "markMovements",
  mark_at as "markAt", not exists (select from (${openWriters}) as writer where writer.id = any (mark_writers)) as "isComplete",
  ${open ? sql`exists (select from ${open})` : sql`false`} as "hasOpen"`;

/** One pass. Returns 0 when there is nothing more to count for now. */
export const countOrders = (db: Db, clock: Clock, batch = BATCH) => count(db, partnerFigures, clock, batch);
/** The same for the figures of plans. */
export const countPlans = (db: Db, clock: Clock, batch = BATCH) => count(db, planFigures, clock, batch);
/** The same for the operator's figures. */
export const countSales = (db: Db, clock: Clock, batch = BATCH) => count(db, saleFigures, clock, batch);

async function count(db: Db, set: FigureSet, clock: Clock, batch: number): Promise<number> {
  const at = new Date(clock.now());
  const largest = await largestIds(db);
  return db.tx(async (tx) => {
    if (!(await holdProgress(tx, set, 'skip if held'))) return 0;
    const progress = await markedProgress(tx, set, largest, at);
    // Most passes find nothing new, and asking whether there is anything is cheaper than counting nothing.
    const ended = progress.hasOpen ? await countEnds(tx, set, batch) : 0;
    if (!progress.isComplete) return ended === batch ? ended : 0;
    const orders = progress.markOrders > progress.ordersTo ? await countNew(tx, set, progress, batch) : 0;
    const returned = progress.markMovements > progress.movementsTo ? await countReturned(tx, set, progress, batch) : 0;
    const isAll = [ended, orders, returned].every((count) => count < batch);
    if (isAll) await finishMark(tx, set, progress);
    return isAll ? 0 : Math.max(ended, orders, returned);
  });
}

interface LargestIds {
  readonly orders: bigint;
  readonly movements: bigint;
}

const largestIds = (db: Queryable): Promise<LargestIds> =>
  db.one(sql`
    select coalesce((select max(id) from orders), 0) as orders, coalesce((select max(id) from movements), 0) as movements`);

/** The pass that holds the row counts; resetting an account waits for it. */
export async function holdProgress(tx: Tx, { progress }: FigureSet, ifHeld: 'wait' | 'skip if held'): Promise<boolean> {
  const held = ifHeld === 'wait' ? sql`for update` : sql`for update skip locked`;
  const find = () => tx.maybe(sql`select from ${progress} ${held}`);
  if (await find()) return true;
  await tx.run(sql`insert into ${progress} default values on conflict do nothing`);
  return (await find()) !== undefined;
}

/** The mark of an earlier pass, or a new one. */
async function markedProgress(tx: Tx, set: FigureSet, largest: LargestIds, at: Date): Promise<Progress> {
  const kept = await tx.maybe<Progress>(sql`
    select ${columns(set)} from ${set.progress} where mark_at is not null`);
  if (kept) return kept;
  return tx.one<Progress>(sql`
    update ${set.progress} set mark_orders = greatest(orders_to, ${largest.orders}::bigint),
      mark_movements = greatest(movements_to, ${largest.movements}::bigint), mark_at = ${at}, mark_writers = array (${openWriters})
    returning ${columns(set)}`);
}

async function countNew(tx: Tx, set: FigureSet, { ordersTo, markOrders }: Progress, batch: number): Promise<number> {
  const open = set.open
    ? sql`open as (
        insert into ${set.open} (order_id, partner_id, supplier, cost_micros)
        select id, partner_id, supplier, cost_micros from o where status in (3, 4)
      ),`
    : nothing;
  const { count } = await tx.one<{ count: number }>(sql`
    with o as materialized (
      select id, partner_id, created_at, country_code, product_id, ${supplierIn(sql`supplier`)} as supplier, status, sale_price,
        cost_micros, charged_micros, paid_at, delivered_at
      from orders where id > ${ordersTo} and id <= ${markOrders} order by id limit ${batch}
    ), facts as materialized (
      select ${factsOf({
        ...itsEnd,
        orders: sql`(o.paid_at is not null)::int`,
        refused: sql`(o.paid_at is null and o.status = 2)::int`,
        charged: sql`case when o.paid_at is not null then o.sale_price else 0 end`,
        // An order on its way counts with the cost that was expected of it.
        cost: sql`case when o.paid_at is null or o.status = 2 then 0
          when o.status = 1 then coalesce(o.charged_micros, o.cost_micros) else o.cost_micros end`,
      })} from o
    ), ${open} moved as (
      update ${set.progress} set orders_to = case (select count(*) from o)
        when ${batch}::bigint then (select max(id) from o) else ${markOrders}::bigint end
    ), ${set.adding('facts')}
    select count(*)::int as count from o`);
  return count;
}

/**
 * Orders that were on their way when they were counted, and are not any more. One that another supplier ended moves to that supplier's
 * figures. `offset 0` keeps the planner from joining the other way
 * round: a plan made while both tables were small would read every order there is.
 */
async function countEnds(tx: Tx, set: FigureSet, batch: number): Promise<number> {
  if (!set.open) return 0;
  const { count } = await tx.one<{ count: number }>(sql`
    with o as materialized (
      select ended.*, coalesce(counted.supplier, ended.supplier) as counted_supplier,
        coalesce(counted.cost_micros, ended.cost_micros) as counted_cost
      from ${set.open} counted cross join lateral (
        select id, partner_id, created_at, country_code, product_id, ${supplierIn(sql`supplier`)} as supplier, status, sale_price,
          cost_micros, charged_micros, paid_at, delivered_at
        from orders where id = counted.order_id and status in (1, 2) offset 0
      ) as ended order by counted.order_id limit ${batch}
    ), elsewhere as materialized (
      select * from o where paid_at is not null and (counted_supplier, counted_cost) <> (supplier, cost_micros)
    ), facts as materialized (
      select ${factsOf({
        ...itsEnd,
        refused: sql`(o.paid_at is null and o.status = 2)::int`,
        cost: sql`case when o.paid_at is null then 0
          when o.status = 1 then coalesce(o.charged_micros, o.cost_micros) - o.cost_micros else -o.cost_micros end`,
      })} from o
      union all select ${factsOf({
        orders: sql`-1`,
        charged: sql`-o.sale_price`,
        cost: sql`-o.cost_micros`,
      })} from (
        select id, partner_id, created_at, country_code, product_id, sale_price, counted_supplier as supplier, counted_cost as cost_micros
        from elsewhere) as o
      union all select ${factsOf({
        orders: sql`1`,
        charged: sql`o.sale_price`,
        cost: sql`o.cost_micros`,
      })} from elsewhere o
    ), closed as (
      delete from ${set.open} where order_id in (select id from o)
    ), ${set.adding('facts')}
    select count(*)::int as count from o`);
  return count;
}

/** What movements gave back. The movements in between are passed over. */
async function countReturned(
  tx: Tx,
  set: FigureSet,
  { movementsTo, markMovements }: Progress,
  batch: number,
): Promise<number> {
  const { count } = await tx.one<{ count: number }>(sql`
    with passed as materialized (
      select id, order_id, type, amount, at from movements
      where id > ${movementsTo} and id <= ${markMovements} order by id limit ${batch}
    ), facts as materialized (
      select ${factsOf({ returned: sql`abs(passed.amount)` })}
      from passed join orders o on o.id = passed.order_id where passed.type = 'refund'
    ), moved as (
      update ${set.progress} set movements_to = case (select count(*) from passed)
        when ${batch}::bigint then (select max(id) from passed) else ${markMovements}::bigint end
    ), ${set.addingPassed} ${set.adding('facts')}
    select count(*)::int as count from passed`);
  return count;
}

const finishMark = (tx: Tx, { progress }: FigureSet, { markAt }: Progress): Promise<number> =>
  tx.run(sql`
    update ${progress} set counted_until = ${markAt}, mark_orders = null, mark_movements = null, mark_writers = null,
      mark_at = null`);

/** For resetting an account, in its transaction and after it has deleted the orders. */
export async function forgetFigures(tx: Tx, partnerId: number): Promise<void> {
  await holdProgress(tx, partnerFigures, 'wait');
  await holdProgress(tx, planFigures, 'wait');
  await tx.run(sql`delete from order_figures where partner_id = ${partnerId}`);
  await tx.run(sql`delete from destination_figures where partner_id = ${partnerId}`);
  await tx.run(sql`delete from orders_counted_open where partner_id = ${partnerId}`);
  await tx.run(sql`delete from plan_figures where partner_id = ${partnerId}`);
}
