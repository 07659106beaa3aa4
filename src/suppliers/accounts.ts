/*
 * What a process has settings for, as one list of names, which processes also tell each other: a kind of supplier (`airalo`), or one
 * account of a kind that may have several (`partner_v3/acme`).
 */

export const accountName = (kind: string, slug: string): string => `${kind}/${slug}`;

/** Whether a supplier of this kind is somebody's service with an account: it may have a list and a balance. */
export const hasAccount = (kind: string): boolean => kind !== 'simulated' && kind !== 'stock';

/** Whether one who has these settings can call the supplier. */
export const hasSettings = (names: readonly string[], { slug, kind }: { slug: string; kind: string }): boolean =>
  names.includes(kind) || names.includes(accountName(kind, slug));

/** The suppliers that settings speak of. An only account goes by the slug that names its kind. */
export const namedSuppliers = (names: readonly string[]): { readonly slug: string; readonly kind: string }[] =>
  [...new Set(names)].filter(hasAccount).map((name) => {
    const [kind = '', slug = kind.replaceAll('_', '-')] = name.split('/');
    return { slug, kind };
  });
