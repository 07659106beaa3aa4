import { accountKinds } from '../../../platform/settings/supplier-fields.ts';

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
