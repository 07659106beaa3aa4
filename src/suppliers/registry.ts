import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Supplier } from './supplier.ts';

/** Finds the supplier a plan is bought from, by its slug. */
export interface Suppliers {
  of(slug: string): Promise<Supplier>;
}

/** Makes the adapter of one supplier. Called at first use, so a process that never calls a supplier opens nothing. */
export type Adapter = (slug: string) => Supplier | Promise<Supplier>;

/** `adapters` by kind, as `suppliers.kind` names them. The kind of a supplier never changes, so it is looked up once. */
export function openSuppliers(db: Queryable, adapters: Readonly<Record<string, Adapter>>): Suppliers {
  const known = new Map<string, Promise<Supplier>>();

  async function find(slug: string): Promise<Supplier> {
    const row = await db.maybe<{ kind: string }>(sql`select kind from suppliers where slug = ${slug}`);
    const adapter = row && adapters[row.kind];
    return adapter ? adapter(slug) : notConfigured(slug);
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

/** Orders of a supplier nobody can talk to wait, visibly, until it is configured or an operator fails them. */
function notConfigured(slug: string): Supplier {
  const reason = `supplier ${slug} is not configured`;
  const unavailable = async () => ({ outcome: 'unavailable', reason }) as const;
  return {
    name: slug,
    plans: async () => undefined,
    order: unavailable,
    find: unavailable,
    usage: unavailable,
  };
}
