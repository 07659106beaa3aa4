import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { supplierKinds } from '../../catalog/import-format/import-format.ts';
import { checkedSupplier } from '../adapters/checked-supplier.ts';
import type { Supplier } from '../port/port.ts';
import type { StoredAccount } from './account-store.ts';
import { isInEnvironment, namedSuppliers } from './accounts.ts';

/** Finds the supplier a plan is bought from, by its slug. */
export interface Suppliers {
  of(slug: string): Promise<Supplier>;
}

/**
 * Makes the adapter of one supplier; undefined: there are no settings for its account. Called on first use, so a process that never
 * calls a supplier opens no connection.
 */
export type Adapter = (slug: string) => Supplier | undefined | Promise<Supplier | undefined>;

interface OwnAccounts {
  current(): Promise<ReadonlyMap<string, StoredAccount>>;
  /** Undefined: this version of the program does not know its kind. */
  open(account: StoredAccount): Promise<Supplier | undefined>;
  /** This supplier is no longer handed out. Calls in progress finish first. */
  retire(supplier: Supplier): void;
}

const noAccounts: OwnAccounts = { current: async () => new Map(), open: async () => undefined, retire() {} };

interface Known {
  /** Of the account it was made for; undefined: one of the environment, or none. */
  readonly version: string | undefined;
  readonly making: Promise<Supplier>;
  /** What is handed out: the same, with every answer checked. */
  readonly checked: Promise<Supplier>;
}

/**
 * `adapters` by kind, as in `suppliers.kind`: those the environment has settings for. `names`: the same with their accounts. A
 * supplier is made once, and again when its account in the database is another. None is handed out unchecked.
 */
export function createRegistry(
  db: Queryable,
  adapters: Readonly<Record<string, Adapter>>,
  log: Log,
  names: readonly string[] = Object.keys(adapters),
  own: OwnAccounts = noAccounts,
  clock: Clock = systemClock,
): Suppliers {
  const known = new Map<string, Known>();

  async function find(slug: string, account: StoredAccount | undefined): Promise<Supplier> {
    if (account) return (await own.open(account)) ?? notConfigured(slug, false);
    const row = await db.maybe<{ kind: string }>(sql`select kind from suppliers where slug = ${slug}`);
    // Before its first import a supplier has no row; then the settings say its kind, or its slug does.
    const named = namedSuppliers(names).find((one) => one.slug === slug);
    const kind = row?.kind ?? named?.kind ?? slug.replaceAll('-', '_');
    // A slug may be anything that somebody typed, so also the name of what every object has.
    const supplier = Object.hasOwn(adapters, kind) ? await adapters[kind]?.(slug) : undefined;
    if (supplier) return supplier;
    if (row) log.error({ supplier: slug, kind }, `supplier ${slug} is not configured: orders for its plans wait`);
    // It may be imported later, so do not remember it as missing.
    else known.delete(slug);
    return notConfigured(slug, supplierKinds.includes(kind));
  }

  return {
    async of(slug) {
      const stored = (await own.current()).get(slug);
      const account = stored && !isInEnvironment(names, stored) ? stored : undefined;
      const made = known.get(slug);
      if (made && made.version === account?.version) return made.checked;
      const making = find(slug, account);
      const checked = making.then((supplier) => checkedSupplier(supplier, { clock, log }));
      known.set(slug, { version: account?.version, making, checked });
      made?.making.then(own.retire, () => {});
      making.catch(() => known.get(slug)?.making === making && known.delete(slug));
      return checked;
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
