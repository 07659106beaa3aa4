import { formatMicros, type Micros } from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { enterSchema } from '../../../platform/db/search-path.ts';
import { OWN_KEY } from '../../../platform/vault/secrets.ts';

/** `expired`: available, but its time has passed. */
export const stockStates = ['available', 'sold', 'returned', 'discarded', 'expired'] as const;
type StockState = (typeof stockStates)[number];

/** An item as operators see it: everything but its codes. */
export interface StockItem {
  readonly iccid: string;
  readonly supplier: string;
  readonly plan: string;
  readonly state: StockState;
  /** Null: what the plan says. */
  readonly cost: string | null;
  readonly expires_at: Date | null;
  readonly label: string;
  /** Our name for the order that took it. */
  readonly reference: string | null;
  readonly imported_at: Date;
  /** When it came into its state. */
  readonly changed_at: Date;
}

export interface StockFilter {
  readonly supplier: string | undefined;
  readonly plan: string | undefined;
  readonly state: StockState | undefined;
  readonly limit: number;
}

const isExpired = (now: Date): Sql => sql`(state = 'available' and expires_at is not null and expires_at <= ${now})`;

const inState = (state: StockState, now: Date): Sql =>
  state === 'expired'
    ? isExpired(now)
    : state === 'available'
      ? sql`state = 'available' and (expires_at is null or expires_at > ${now})`
      : sql`state = ${state}`;

async function read(db: Queryable, which: Sql, now: Date): Promise<StockItem[]> {
  const rows = await db.query<StockItem & { cost: Micros | null }>(sql`
    select iccid, supplier, plan, case when ${isExpired(now)} then 'expired' else state end as state, cost_micros as cost,
      expires_at, label, reference, imported_at, changed_at
    from stock_items where ${which}`);
  return rows.map((row) => ({ ...row, cost: row.cost === null ? null : formatMicros(row.cost) }));
}

/** In the order in which they are sold. */
export const listItems = (
  db: Queryable,
  { supplier, plan, state, limit }: StockFilter,
  now: Date,
): Promise<StockItem[]> =>
  read(
    db,
    sql`true ${supplier === undefined ? nothing : sql`and supplier = ${supplier}`}
      ${plan === undefined ? nothing : sql`and plan = ${plan}`} ${state === undefined ? nothing : sql`and ${inState(state, now)}`}
      order by supplier, plan, stock_items.state, expires_at, id limit ${limit}`,
    now,
  );

export const findItem = async (db: Queryable, iccid: string, now: Date): Promise<StockItem | undefined> =>
  (await read(db, sql`iccid = ${iccid}`, now))[0];

/** Locks an item, so that no order takes it and no other transaction changes it. */
export async function holdItem(tx: Tx, iccid: string, now: Date): Promise<StockItem | undefined> {
  await enterSchema(tx, 'live');
  await tx.run(sql`select from stock_items where iccid = ${iccid} for update`);
  return findItem(tx, iccid, now);
}

export async function discardItem(tx: Tx, iccid: string, now: Date): Promise<void> {
  await tx.run(sql`update stock_items set state = 'discarded', changed_at = ${now} where iccid = ${iccid}`);
}

/** What an item becomes that can be sold again: one whose codes were destroyed cannot. */
export const stateAgain: Sql = sql`case when esim = ${OWN_KEY} then 'discarded' else 'available' end`;

export async function releaseItem(tx: Tx, iccid: string, now: Date): Promise<void> {
  await tx.run(sql`
    update stock_items set state = ${stateAgain}, reference = null, changed_at = ${now} where iccid = ${iccid}`);
}

export interface PlanStock extends Readonly<Record<StockState, number>> {
  readonly supplier: string;
  readonly plan: string;
  /** Low when this many are left, or fewer; null: not set. */
  readonly low: number | null;
  readonly is_low: boolean;
}

/** Items of one plan in one state that are counted: `most` is where counting stops. */
const countedItems = (state: StockState, now: Date, most?: number): Sql => sql`(
  select count(*)::int from (
    select from stock_items where stock_items.supplier = stock_plans.supplier and stock_items.plan = stock_plans.plan
      and ${inState(state, now)} ${most === undefined ? nothing : sql`limit ${most}`}) as counted)`;

export async function plansInStock(
  db: Queryable,
  { supplier, plan }: Pick<StockFilter, 'supplier' | 'plan'>,
  now: Date,
): Promise<PlanStock[]> {
  const rows = await db.query<Omit<PlanStock, 'is_low'>>(sql`
    select supplier, plan, ${countedItems('available', now)} as available, ${countedItems('sold', now)} as sold,
      ${countedItems('returned', now)} as returned, ${countedItems('discarded', now)} as discarded,
      ${countedItems('expired', now)} as expired, low
    from stock_plans where true ${supplier === undefined ? nothing : sql`and supplier = ${supplier}`}
      ${plan === undefined ? nothing : sql`and plan = ${plan}`}
    order by supplier, plan`);
  return rows.map((row) => ({ ...row, is_low: row.low !== null && row.available <= row.low }));
}

/** No level is above it, so that a count can stop there. */
export const HIGHEST_LEVEL = 100_000;

/** Null: no alert. */
export async function setLow(tx: Tx, supplier: string, plan: string, low: number | null): Promise<void> {
  await tx.run(sql`
    insert into stock_plans (supplier, plan, low) values (${supplier}, ${plan}, ${low})
    on conflict (supplier, plan) do update set low = excluded.low`);
}

/** Plans of which no more than their level is left. Counting stops above the highest level there can be. */
export const stockAlerts = (now: number): Sql => sql`
  select 'low_stock' as kind, available::float8 as count, null::timestamptz as since, supplier as of, plan as about
  from stock_plans
  cross join lateral (select ${countedItems('available', new Date(now), HIGHEST_LEVEL + 1)} as available) as counted
  where low is not null and available <= low`;
