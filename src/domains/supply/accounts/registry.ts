import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { accountKinds } from '../../../platform/settings/supplier-fields.ts';
import { supplierKinds } from '../../catalog/import-format/import-format.ts';
import { checkedSupplier } from '../adapters/checked-supplier.ts';
import type { Supplier } from '../port/port.ts';
import type { StoredAccount } from './account-store.ts';

/*
 * Accounts at suppliers, by where they come from. The environment names what it has settings for in one list, which processes also
 * tell each other: a kind of supplier (`airalo`), or one account of a kind that may have several there (`partner_v3/acme`). Others
 * are rows of `supplier_accounts`, by slug.
 *
 * Where both speak of a supplier, the environment's account by that very slug comes first: its name is in the setting, or is that
 * of its kind (`AIRALO_…` is the account of `airalo`). Then the row. A supplier with neither uses the environment's account of its
 * kind.
 */

export const accountName = (kind: string, slug: string): string => `${kind}/${slug}`;

/** Whether a supplier of this kind is somebody's service with an account: it may have a list and a balance. */
const hasAccount = (kind: string): boolean => Object.hasOwn(accountKinds, kind);

/** Whether the environment with these settings can call the supplier. */
export const hasSettings = (names: readonly string[], { slug, kind }: Named): boolean =>
  names.includes(kind) || names.includes(accountName(kind, slug));

interface Named {
  readonly slug: string;
  readonly kind: string;
}

/** The suppliers that settings name. The only account of a kind has the kind's slug. */
export const namedSuppliers = (names: readonly string[]): Named[] =>
  [...new Set(names)]
    .filter((name) => hasAccount(name.split('/')[0] ?? ''))
    .map((name) => {
      const [kind = '', slug = kind.replaceAll('_', '-')] = name.split('/');
      return { slug, kind };
    });

export const isInEnvironment = (names: readonly string[], { slug, kind }: Named): boolean =>
  namedSuppliers(names).some((one) => one.slug === slug && one.kind === kind);

export type AccountSource = 'environment' | 'database';

/** Where the account of a supplier comes from; null: it has none, or needs none. */
export function sourceOf(names: readonly string[], supplier: Named, hasRow: boolean): AccountSource | null {
  if (!hasAccount(supplier.kind)) return null;
  if (isInEnvironment(names, supplier)) return 'environment';
  if (hasRow) return 'database';
  return hasSettings(names, supplier) ? 'environment' : null;
}

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
