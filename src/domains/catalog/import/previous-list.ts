import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { SupplierEntry } from '../import-format/import-format.ts';
import type { CheckedImport, PlanInput } from './import-check.ts';

/**
 * The list of a supplier before its last import that changed anything. An import keeps only the plans it changed as they were
 * (`previous_plans`); all others are in the list as they are. Undefined: the supplier is not known, or had nothing on sale before that.
 *
 * Destinations are not part of it: they belong to all suppliers.
 */
export async function readPreviousList(tx: Tx, slug: string): Promise<CheckedImport | undefined> {
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
