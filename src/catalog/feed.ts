import type { RawImport } from './import-file.ts';
import type { PlanEntry, SupplierEntry } from './import-format.ts';

/** A supplier's whole list as an import. `titles`: what the supplier calls destinations, by our code. */
export async function feedImport(
  supplier: SupplierEntry,
  plans: readonly PlanEntry[],
  titles: ReadonlyMap<string, string>,
): Promise<RawImport> {
  // The list of the world's countries is large: only whoever makes a catalog loads it.
  const { placesOf } = await import('./geography.ts');
  const located = (entry: unknown, i: number) => ({ entry, line: i + 1 });
  return {
    supplier,
    full: true,
    destinations: placesOf(plans, titles).map(located),
    keepsDestinations: true,
    plans: plans.map(located),
  };
}
