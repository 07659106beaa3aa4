import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { formatProblem, type RawImport } from '../../import-format/import-format.ts';
import type { Sign } from '../alias.ts';
import { importCatalog } from '../import.ts';

/** The lists of the demo's suppliers, the same on every machine. The first one contains the destinations. */
async function imports(): Promise<RawImport[]> {
  // The list of the world's countries is large, so it is loaded only to make the demo catalog.
  const { demoDestinations } = await import('./destinations.ts');
  const { demoPlans, demoSuppliers } = await import('./plans.ts');
  const destinations = demoDestinations();
  const located = (entry: unknown, i: number) => ({ entry, line: i + 1 });
  return demoSuppliers.map(({ title, kind, ...offer }, i) => ({
    supplier: { slug: offer.slug, title, kind },
    full: true,
    destinations: i === 0 ? destinations.map(located) : [],
    plans: demoPlans(offer, destinations).map(located),
  }));
}

let made: Promise<readonly RawImport[]> | undefined;

/** Makes the lists, and loads what checks them, while the database they are for is being made. */
function prepare(): void {
  made ??= imports();
  formatProblem('supplier', {});
}

/** Fills an empty catalog. A catalog that has a supplier is left alone. */
async function seed(tx: Tx, sign: Sign): Promise<void> {
  const { used } = await tx.one<{ used: boolean }>(sql`select exists (select from suppliers) as used`);
  if (used) return;
  const lists = await (made ?? imports());
  made = undefined;
  for (const list of lists) await importCatalog(tx, list, sign);
}

export const demoCatalog = { imports, prepare, seed };
