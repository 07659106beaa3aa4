import type { RawImport } from '../import-file.ts';
import { demoDestinations } from './destinations.ts';
import { demoPlans, demoSuppliers } from './plans.ts';

const located = (entry: unknown, i: number) => ({ entry, line: i + 1 });

/** The demo catalog, one import per simulated supplier; the same on every machine. */
export function demoImports(): RawImport[] {
  const destinations = demoDestinations();
  return demoSuppliers.map(({ slug, title, kind, ...offer }, i) => ({
    supplier: { slug, title, kind },
    full: true,
    destinations: i === 0 ? destinations.map(located) : [],
    plans: demoPlans({ slug, ...offer }, destinations).map(located),
  }));
}
