import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import {
  ImportRefused,
  MOST_PLANS,
  type RawImport,
  type Scope,
  type SupplierEntry,
} from '../import-format/import-format.ts';
import type { Sign } from '../plans/plan.ts';
import { holdPlans } from '../plans/plan-store.ts';
import { type CheckedImport, checkImport, type PlanInput } from './import-check.ts';
import { type ImportCounts, writeImport } from './import-write.ts';

/** Imports a file or a supplier's list in the caller's transaction, or throws `ImportRefused` with every problem. */
export async function importCatalog(
  tx: Tx,
  batch: RawImport,
  sign: Sign,
  onProgress?: (done: number, total: number) => void,
): Promise<ImportCounts> {
  await holdPlans(tx);
  const rows = await tx.query<{ code: string; scope: Scope; slug: string }>(
    sql`select code, scope, slug from destinations`,
  );
  const checked = checkImport(batch, new Map(rows.map((row) => [row.code, row])));
  const { slug, kind } = checked.supplier;
  const existing = await tx.maybe<{ kind: string }>(sql`select kind from suppliers where slug = ${slug}`);
  if (existing && existing.kind !== kind)
    throw new ImportRefused([{ line: 1, reason: `supplier ${slug} is of kind ${existing.kind}, not ${kind}` }]);
  const counts = await writeImport(tx, checked, sign, onProgress);
  await requireFewPlans(tx, slug);
  return counts;
}

/** A list of changes may be short every time and still add up. */
async function requireFewPlans(tx: Tx, slug: string): Promise<void> {
  const { plans } = await tx.one<{ plans: number }>(sql`
    select count(*)::int as plans from plans join suppliers on suppliers.id = plans.supplier_id
    where suppliers.slug = ${slug} and plans.on_sale`);
  if (plans > MOST_PLANS) {
    const reason = `supplier ${slug} would have ${plans} plans on sale; it may have at most ${MOST_PLANS}`;
    throw new ImportRefused([{ line: 1, reason }]);
  }
}

/**
 * Imports the list that the last import replaced, in the caller's transaction. The list it replaces in turn is the previous one then.
 * Throws `Refused`.
 */
export async function importPrevious(
  tx: Tx,
  slug: string,
  sign: Sign,
  onProgress?: (done: number, total: number) => void,
): Promise<ImportCounts> {
  await holdPlans(tx);
  const list = await readPreviousList(tx, slug);
  if (!list) throw new Refused('previous_list_not_found');
  return writeImport(tx, list, sign, onProgress);
}

/**
 * The list of a supplier before its last import that changed anything. An import keeps only the plans it changed as they were
 * (`previous_plans`); all others are in the list as they are. Undefined: the supplier is not known, or had nothing on sale before that.
 *
 * Destinations are not part of it: they belong to all suppliers.
 */
async function readPreviousList(tx: Tx, slug: string): Promise<CheckedImport | undefined> {
  const supplier = await tx.maybe<SupplierEntry & { id: number }>(sql`
    select id, slug, title, kind from suppliers where slug = ${slug} and ${hasPrevious}`);
  if (!supplier) return undefined;
  const { id, ...entry } = supplier;
  // What was off sale is not in the list, unless by hand, and neither is an added plan: a full import takes them off sale.
  const plans = await tx.query<PlanInput>(sql`
    select supplier_plan as "supplierPlan", destination, networks.details as network, title, amount_mb as "amountMb", day,
      is_unlimited as "isUnlimited", network_type as "networkType", list_price as "listPrice", cost,
      is_usage_metered as "isUsageMetered", fup_kind as "fupKind", fup_daily_mb as "fupDailyMb",
      fup_speed_kbps as "fupSpeedKbps", fair_use_text as "fairUseText", voice, text, short_info as "shortInfo",
      install_window_days as "installWindowDays", coverage, on_sale or is_held_back as "onSale", refills
    from (
      select was.* from previous_plans, jsonb_populate_record(null::plans, before) as was
      where previous_plans.supplier_id = ${id} and before is not null and (on_sale or is_held_back or on_sale_by_hand)
      union all
      select * from plans where supplier_id = ${id} and (on_sale or is_held_back)
        and not exists (select from previous_plans where supplier_id = ${id} and plan_id = plans.id)
    ) as listed join networks on networks.id = listed.operator_id order by listed.id`);
  if (!plans.some(({ onSale }) => onSale)) return undefined;
  return {
    supplier: entry,
    full: true,
    keepRefills: false,
    removed: undefined,
    // The supplier's next list of changes would start from the list that this one replaces.
    version: null,
    destinations: [],
    plans,
    skipped: [],
  };
}

const hasPrevious = sql`exists (
  select from previous_plans where previous_plans.supplier_id = suppliers.id)`;

export const suppliersWithPrevious = async (db: Queryable): Promise<readonly string[]> =>
  (await db.query<{ slug: string }>(sql`select slug from suppliers where ${hasPrevious}`)).map(({ slug }) => slug);

/** The lists of the demo's suppliers, the same on every machine. The first one contains the destinations. */
export async function demoImports(): Promise<RawImport[]> {
  // The list of the world's countries is large, so it is loaded only to make the demo catalog.
  const { demoDestinations, demoPlans, demoSuppliers } = await import('../plans/demo/plans.ts');
  const destinations = demoDestinations();
  const located = (entry: unknown, i: number) => ({ entry, line: i + 1 });
  return demoSuppliers.map(({ title, kind, ...offer }, i) => ({
    supplier: { slug: offer.slug, title, kind },
    full: true,
    destinations: i === 0 ? destinations.map(located) : [],
    plans: demoPlans(offer, destinations).map(located),
  }));
}

/** Fills an empty catalog. A catalog that has a supplier is left alone. */
export async function seedDemoCatalog(tx: Tx, sign: Sign): Promise<void> {
  const { used } = await tx.one<{ used: boolean }>(sql`select exists (select from suppliers) as used`);
  if (used) return;
  for (const batch of await demoImports()) await importCatalog(tx, batch, sign);
}
