import { Refused } from '../../../platform/contract/refused.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { ImportRefused, MOST_PLANS, type RawImport, type Scope } from '../import-format/import-format.ts';
import type { Sign } from '../plans/plan.ts';
import { holdPlans } from '../plans/plan-store.ts';
import { checkImport } from './import-check.ts';
import { type ImportCounts, writeImport } from './import-write.ts';
import { readPreviousList } from './previous-list.ts';

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
