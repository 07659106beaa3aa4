import { supplierKinds } from '../catalog/catalog.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { namedSuppliers } from './accounts.ts';
import type { Supplier } from './supplier.ts';

/** Finds the supplier a plan is bought from, by its slug. */
export interface Suppliers {
  of(slug: string): Promise<Supplier>;
}

/**
 * Makes the adapter of one supplier; undefined: there are no settings for its account. Called on first use, so a process that never
 * calls a supplier opens no connection.
 */
export type Adapter = (slug: string) => Supplier | undefined | Promise<Supplier | undefined>;

/** `adapters` by kind, as in `suppliers.kind`: those this process has settings for. `names`: the same with their accounts. */
export function createRegistry(
  db: Queryable,
  adapters: Readonly<Record<string, Adapter>>,
  log: Log,
  names: readonly string[] = Object.keys(adapters),
): Suppliers {
  const known = new Map<string, Promise<Supplier>>();

  async function find(slug: string): Promise<Supplier> {
    const row = await db.maybe<{ kind: string }>(sql`select kind from suppliers where slug = ${slug}`);
    // Before its first import a supplier has no row; then the settings say its kind, or its slug does.
    const named = namedSuppliers(names).find((one) => one.slug === slug);
    const kind = row?.kind ?? named?.kind ?? slug.replaceAll('-', '_');
    const supplier = await adapters[kind]?.(slug);
    if (supplier) return supplier;
    if (row) log.error({ supplier: slug, kind }, `supplier ${slug} is not configured: orders for its plans wait`);
    // It may be imported later, so do not remember it as missing.
    else known.delete(slug);
    return notConfigured(slug, supplierKinds.includes(kind));
  }

  return {
    of(slug) {
      const made = known.get(slug);
      if (made) return made;
      const making = find(slug);
      known.set(slug, making);
      making.catch(() => known.delete(slug));
      return making;
    },
  };
}

/** Orders for a supplier without settings wait, visibly, until it is configured or an operator fails them. */
function notConfigured(slug: string, isKnown: boolean): Supplier {
  const reason = `supplier ${slug} is not configured`;
  const unavailable = async () => ({ outcome: 'unavailable', reason }) as const;
  return {
    name: slug,
    sellsRefills: false,
    async plans() {
      if (isKnown) throw new Error(reason);
      return undefined;
    },
    order: unavailable,
    find: unavailable,
    usage: unavailable,
  };
}
