import { type Author, change } from '../../../platform/audit/audit-log.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type Queryable, rolledBack, type Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import { ImportRefused, type RawImport } from '../import-format/import-format.ts';
import type { Sign } from '../plans/plan.ts';
import { importCatalog, importPrevious, suppliersWithPrevious } from './import-list.ts';
import type { ImportCounts } from './import-write.ts';

export interface ImportParts {
  readonly author: Author;
  readonly sign: Sign;
  readonly clock: Clock;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A list to import, or the supplier whose previous list is imported again. */
type ListToImport = RawImport | { readonly previousOf: string };

const write = async (tx: Tx, { sign, onProgress }: ImportParts, list: ListToImport): Promise<ImportCounts> =>
  'previousOf' in list
    ? { ...(await importPrevious(tx, list.previousOf, sign, onProgress)), previous: true }
    : importCatalog(tx, list, sign, onProgress);

/**
 * An import that takes a larger share of a supplier's plans off sale has to be confirmed: the list may be truncated, or that of
 * another supplier. Going back to the previous list takes off sale what the last import added, which is wanted; there it counts how
 * many plans are on sale before and after, so that going back twice by mistake is noticed.
 */
const MOST_LEAVING = 0.2;
const needsYes = ({ leave_sale, on_sale_before, on_sale_after, previous }: ImportCounts): boolean =>
  (previous ? on_sale_before - on_sale_after : leave_sale) > on_sale_before * MOST_LEAVING;

/**
 * Imports a list in one transaction with its entries in the audit log and in the history of imports. Throws `ImportRefused`, and
 * `Refused` with `many_off_sale` if it has to be confirmed and `isConfirmed` is not set.
 */
function recordedImport(parts: ImportParts, list: ListToImport, isConfirmed: boolean) {
  const { author, clock } = parts;
  const startedAt = new Date(clock.now());
  return change(author, 'catalog import', async (tx) => {
    const counts = await write(tx, parts, list);
    if (!isConfirmed && needsYes(counts)) throw new Refused('many_off_sale', manyOffSale(counts));
    await tx.run(sql`
      insert into catalog_imports (supplier, who, started_at, finished_at, counts)
      values (${counts.supplier}, ${author.who}, ${startedAt}, ${new Date(clock.now())}, ${JSON.stringify(counts)}::jsonb)`);
    return { target: `supplier ${counts.supplier}`, after: counts, result: counts };
  });
}

const manyOffSale = ({ supplier, leave_sale: leaving, on_sale_before: before }: ImportCounts): string => {
  const n = (count: number) => count.toLocaleString('en-US');
  const which =
    leaving < before
      ? `${n(leaving)} of the ${n(before)} plans`
      : before === 1
        ? 'the only plan'
        : `all ${n(before)} plans`;
  return `nothing was imported: ${which} that ${supplier} sells would go off sale`;
};

/**
 * Reports what importing the list would do, and whether it has to be confirmed: imports it and rolls back, so the report covers
 * everything. Other imports wait for it. Throws `ImportRefused`.
 */
async function triedImport(parts: ImportParts, list: ListToImport) {
  const counts = await rolledBack(parts.author.db, (tx) => write(tx, parts, list));
  return { ...counts, needs_yes: needsYes(counts) };
}

const MOST_NAMED = 5;

/** Puts an import that failed into the history. Nothing else was changed. */
async function recordFailedImport(
  { author, clock }: ImportParts,
  supplier: string,
  startedAt: Date,
  error: unknown,
): Promise<void> {
  await author.db.run(sql`
    insert into catalog_imports (supplier, who, started_at, finished_at, error, is_held)
    values (${supplier}, ${author.who}, ${startedAt}, ${new Date(clock.now())}, ${importFailure(error)},
      ${error instanceof Refused && error.code === 'many_off_sale'})`);
}

function importFailure(error: unknown): string {
  if (!(error instanceof ImportRefused)) return error instanceof Error ? error.message : String(error);
  const named = error.problems.slice(0, MOST_NAMED).map(({ line, reason }) => `row ${line}: ${reason}`);
  return [error.message, ...named].join('; ');
}

export interface PastImport {
  readonly id: bigint;
  readonly supplier: string;
  readonly who: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Null: nothing was imported, for the reason in `error`. */
  readonly counts: ImportCounts | null;
  readonly error: string | null;
  /** It waits for a confirmation. */
  readonly isHeld: boolean;
}

/** Newest first. */
function listImports(
  db: Queryable,
  {
    supplier,
    limit,
    before,
  }: { readonly supplier: string | undefined; readonly limit: number; readonly before?: bigint | undefined },
): Promise<PastImport[]> {
  return db.query<PastImport>(sql`
    select id, supplier, who, started_at as "startedAt", finished_at as "finishedAt", counts, error,
      is_held as "isHeld" from catalog_imports
    where true ${supplier === undefined ? nothing : sql`and supplier = ${supplier}`}
      ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc limit ${limit}`);
}

/** The supplier's name for the list that was last imported; null: it has none, or the whole list is wanted again. */
async function listVersion(db: Queryable, slug: string): Promise<string | null> {
  const row = await db.maybe<{ version: string | null }>(sql`
    select list_version as version from suppliers where slug = ${slug}`);
  return row?.version ?? null;
}

export const catalogImports = {
  version: listVersion,
  recorded: recordedImport,
  recordFailed: recordFailedImport,
  tried: triedImport,
  failure: importFailure,
  list: listImports,
  withPrevious: suppliersWithPrevious,
};
