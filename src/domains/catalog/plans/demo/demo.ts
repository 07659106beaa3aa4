import type { Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import { importCatalog } from '../../import/import-list.ts';
import type { RawImport } from '../../import-format/import-format.ts';
import type { Sign } from '../plan.ts';

/** The lists of the demo's suppliers, the same on every machine. The first one contains the destinations. */
export async function demoImports(): Promise<RawImport[]> {
  // The list of the world's countries is large, so it is loaded only to make the demo catalog.
  const { demoDestinations, demoPlans, demoSuppliers } = await import('./plans.ts');
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
