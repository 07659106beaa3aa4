import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { CostLimits, Preference } from './offers.ts';

/** A route as it is stored; plans by their public ids. */
export interface StoredRoute extends CostLimits {
  readonly productId: string;
  /** In the order in which they are tried. */
  readonly alternates: readonly string[];
  readonly prefer: Preference;
}

/** Whether plans without a route of their own use suggestions. */
export interface AutoRoute {
  /** Whose plans are sold; null: those of every supplier that has no setting of its own. */
  readonly supplier: string | null;
  readonly isOn: boolean;
  readonly prefer: Preference;
}

const stored = (which: Sql): Sql => sql`
  select plans.alias as "productId", max_cost as "maxCost", (min_margin_pct * 100)::bigint as "minMargin", prefer,
    array(select other.alias from unnest(alternates) with ordinality as named (id, place)
      join plans other on other.id = named.id order by named.place) as alternates
  from routes join plans on plans.id = routes.plan_id ${which}`;

export const readRoutes = (db: Queryable): Promise<StoredRoute[]> => db.query(stored(sql`order by plans.id`));
export const readRoute = (db: Queryable, productId: string): Promise<StoredRoute | undefined> =>
  db.maybe(stored(sql`where plans.alias = ${productId}`));

export async function writeRoute(tx: Tx, route: StoredRoute): Promise<void> {
  const { productId, alternates, maxCost, minMargin, prefer } = route;
  await tx.run(sql`
    insert into routes (plan_id, alternates, max_cost, min_margin_pct, prefer)
    select plans.id, array(select other.id from unnest(${alternates}::text[]) with ordinality as named (alias, place)
      join plans other on other.alias = named.alias order by named.place), ${maxCost}, ${minMargin}::bigint / 100.0, ${prefer}
    from plans where plans.alias = ${productId}
    on conflict (plan_id) do update set alternates = excluded.alternates, max_cost = excluded.max_cost,
      min_margin_pct = excluded.min_margin_pct, prefer = excluded.prefer`);
}

/** Returns whether there was one. */
export async function removeRoute(tx: Tx, productId: string): Promise<boolean> {
  const removed = await tx.run(sql`
    delete from routes where plan_id = (select id from plans where alias = ${productId})`);
  return removed > 0;
}

/** The general setting first. */
export const readAuto = (db: Queryable): Promise<AutoRoute[]> =>
  db.query(sql`
    select suppliers.slug as supplier, is_on as "isOn", prefer
    from auto_routes left join suppliers on suppliers.id = auto_routes.supplier_id order by suppliers.slug nulls first`);

/** The one that applies to a supplier's plans: its own, or the general one. */
export const settingFor = (auto: readonly AutoRoute[], slug: string): AutoRoute | undefined =>
  auto.find(({ supplier }) => supplier === slug) ?? auto.find(({ supplier }) => supplier === null);

/** Turning it off for all suppliers also removes the settings of single ones. */
export async function writeAuto(tx: Tx, { supplier, isOn, prefer }: AutoRoute): Promise<void> {
  if (supplier === null && !isOn) {
    await tx.run(sql`delete from auto_routes`);
    return;
  }
  await tx.run(sql`
    insert into auto_routes (supplier_id, is_on, prefer)
    values ((select id from suppliers where slug = ${supplier}), ${isOn}, ${prefer})
    on conflict (supplier_id) do update set is_on = excluded.is_on, prefer = excluded.prefer`);
}

export const readBalances = (
  db: Queryable,
  since: Date,
): Promise<{ readonly supplier: string; readonly balance: bigint; readonly at: Date }[]> =>
  db.query(sql`
    select slug as supplier, balance_micros as balance, balance_at as at from suppliers
    where balance_micros is not null and balance_at > ${since}`);
