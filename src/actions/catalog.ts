import { catalogImports } from '../domains/catalog/catalog.ts';
import { ImportRefused, readImportFile } from '../domains/catalog/import-format/import-format.ts';
import type { Author } from '../platform/audit/audit-log.ts';
import type { Base } from '../worlds/base.ts';

/** Imports the text of a file (docs/catalog-import.md), all or nothing, or says what that would do. */
export async function importCatalogFile(
  { vault, clock }: Pick<Base, 'vault' | 'clock'>,
  author: Author,
  text: string,
  {
    isDryRun,
    isConfirmed,
    onProgress,
  }: {
    readonly isDryRun: boolean;
    readonly isConfirmed: boolean;
    readonly onProgress?: (done: number, total: number) => void;
  },
) {
  const parts = { author, sign: vault.sign, clock, onProgress };
  try {
    const list = readImportFile(text);
    return await (isDryRun ? catalogImports.tried(parts, list) : catalogImports.recorded(parts, list, isConfirmed));
  } catch (error) {
    return refusedImport(error);
  }
}

/** What was wrong with a list, as a result; anything else is thrown on. */
export function refusedImport(error: unknown) {
  if (!(error instanceof ImportRefused)) throw error;
  return { ok: false, error: 'import_refused', message: error.message, problems: error.problems } as const;
}
