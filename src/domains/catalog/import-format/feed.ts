import type { PlanEntry, SupplierEntry } from './entries.ts';
import type { RawImport, SkippedRow } from './file.ts';

/**
 * A supplier's whole list as an import. `titles` has the supplier's names of destinations, by our code; `leftOut` the rows that cannot
 * be sold.
 */
export async function feedImport(
  supplier: SupplierEntry,
  plans: readonly PlanEntry[],
  titles: ReadonlyMap<string, string>,
  leftOut: readonly SkippedRow[] = [],
): Promise<RawImport> {
  // The list of the world's countries is large, so it is loaded only when a catalog is made.
  const { placesOf } = await import('./geography.ts');
  const located = (entry: unknown, i: number) => ({ entry, line: i + 1 });
  return {
    supplier,
    full: true,
    destinations: placesOf(plans, titles).map(located),
    isSupplierList: true,
    plans: plans.map(located),
    ...(leftOut.length > 0 && { leftOut }),
  };
}
