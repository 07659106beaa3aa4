import { type Author, change } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { nothing, sql } from '../db/sql.ts';
import { ImportRefused, type RawImport } from '../import-format/import-format.ts';
import type { Sign } from './alias.ts';
import { importCatalog } from './import.ts';
import type { ImportCounts } from './import-write.ts';

export interface ImportParts {
  readonly author: Author;
  readonly sign: Sign;
  readonly clock: Clock;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Imports a list in one transaction with its entries in the audit log and in the history of imports. Throws `ImportRefused`. */
export function recordedImport({ author, sign, clock, onProgress }: ImportParts, batch: RawImport) {
  const startedAt = new Date(clock.now());
  return change(author, 'catalog import', async (tx) => {
    const counts = await importCatalog(tx, batch, sign, (done) => onProgress?.(done, batch.plans.length));
    await tx.run(sql`
      insert into catalog_imports (supplier, who, started_at, finished_at, counts)
      values (${counts.supplier}, ${author.who}, ${startedAt}, ${new Date(clock.now())}, ${JSON.stringify(counts)}::jsonb)`);
    return { target: `supplier ${counts.supplier}`, after: counts, result: counts };
  });
}

/** Thrown to roll the import back. */
class Undo extends Error {}

/**
 * Reports what importing the list would do: imports it and rolls back, so the report covers everything. Other imports wait for it.
 * Throws `ImportRefused`.
 */
export async function triedImport({ author, sign, onProgress }: ImportParts, batch: RawImport): Promise<ImportCounts> {
  let counts: ImportCounts | undefined;
  try {
    await author.db.tx(async (tx) => {
      counts = await importCatalog(tx, batch, sign, (done) => onProgress?.(done, batch.plans.length));
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return counts as ImportCounts;
}

/** Problems of a rejected list that the history names. */
const MOST_NAMED = 5;

/** Puts an import that failed into the history. Nothing else was changed. */
export async function recordFailedImport(
  { author, clock }: ImportParts,
  supplier: string,
  startedAt: Date,
  error: unknown,
): Promise<void> {
  await author.db.run(sql`
    insert into catalog_imports (supplier, who, started_at, finished_at, error)
    values (${supplier}, ${author.who}, ${startedAt}, ${new Date(clock.now())}, ${importFailure(error)})`);
}

export function importFailure(error: unknown): string {
  if (!(error instanceof ImportRefused)) return error instanceof Error ? error.message : String(error);
  const named = error.problems.slice(0, MOST_NAMED).map(({ line, reason }) => `row ${line}: ${reason}`);
  return [error.message, ...named].join('; ');
}

/** One import of the history. */
export interface PastImport {
  readonly id: bigint;
  readonly supplier: string;
  readonly who: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Null: nothing was imported, for the reason in `error`. */
  readonly counts: ImportCounts | null;
  readonly error: string | null;
}

/** Newest first. */
export function listImports(
  db: Queryable,
  {
    supplier,
    limit,
    before,
  }: { readonly supplier: string | undefined; readonly limit: number; readonly before?: bigint | undefined },
): Promise<PastImport[]> {
  return db.query<PastImport>(sql`
    select id, supplier, who, started_at as "startedAt", finished_at as "finishedAt", counts, error from catalog_imports
    where true ${supplier === undefined ? nothing : sql`and supplier = ${supplier}`}
      ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc limit ${limit}`);
}

/** The supplier's name for the list that was last imported; null: it has none, or the whole list is wanted again. */
export async function listVersion(db: Queryable, slug: string): Promise<string | null> {
  const row = await db.maybe<{ version: string | null }>(sql`
    select list_version as version from suppliers where slug = ${slug}`);
  return row?.version ?? null;
}

/** Importing a supplier's list, and the record of it. */
export const catalogImports = {
  version: listVersion,
  recorded: recordedImport,
  recordFailed: recordFailedImport,
  tried: triedImport,
  failure: importFailure,
  list: listImports,
};
