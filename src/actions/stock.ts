import { type StockFile, StockRefused } from '../domains/supply/stock/stock.ts';
import type { Author } from '../platform/audit/audit-log.ts';
import type { Base } from '../worlds/base.ts';

/** Imports the text of a file into stock, or reports what that would do. Orders waiting for the plan are retried at once. */
export async function importStock(
  { stock, worlds }: Pick<Base, 'stock' | 'worlds'>,
  author: Author,
  file: StockFile,
  { isDryRun, onProgress }: { readonly isDryRun: boolean; readonly onProgress?: (done: number, total: number) => void },
) {
  const { hastenPlan: hasten } = worlds.live.provisioning;
  try {
    return await stock.imports[isDryRun ? 'tried' : 'recorded']({ author, hasten, onProgress }, file);
  } catch (error) {
    if (!(error instanceof StockRefused)) throw error;
    return { ok: false, error: 'import_refused', message: error.message, problems: error.problems } as const;
  }
}
