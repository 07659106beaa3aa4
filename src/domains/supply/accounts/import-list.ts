import { MINUTE } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { catalogImports, type ImportParts } from '../../catalog/catalog.ts';
import type { Suppliers } from './registry.ts';

/** A supplier may take minutes to list its plans: eSIM Access lists its refills in hundreds of answers. */
const LIST_LIMIT_MS = 7 * MINUTE;

/**
 * Imports everything a supplier lists now; undefined: it has no list. If that fails, the history of imports says why, and the error
 * is thrown. An import that was stopped by `signal` has not failed.
 */
export async function importList(
  parts: ImportParts,
  suppliers: Suppliers,
  slug: string,
  { signal, isConfirmed = false }: { readonly signal?: AbortSignal; readonly isConfirmed?: boolean } = {},
) {
  const startedAt = new Date(parts.clock.now());
  try {
    const batch = await listOf(parts, suppliers, slug, signal);
    return batch && (await catalogImports.recorded(parts, batch, isConfirmed));
  } catch (error) {
    if (!signal?.aborted) await catalogImports.recordFailed(parts, slug, startedAt, error);
    throw error;
  }
}

/** What `importList` would do now. */
export async function tryList(parts: ImportParts, suppliers: Suppliers, slug: string) {
  const batch = await listOf(parts, suppliers, slug);
  return batch && (await catalogImports.tried(parts, batch));
}

async function listOf({ author }: ImportParts, suppliers: Suppliers, slug: string, signal?: AbortSignal) {
  const limit = AbortSignal.timeout(LIST_LIMIT_MS);
  const supplier = await suppliers.of(slug);
  const since = await catalogImports.version(author.db, slug);
  return supplier.plans(signal ? AbortSignal.any([signal, limit]) : limit, since).catch((error: Error) => {
    throw new Refused('supplier_unavailable', `${slug} did not return its plans: ${error.message}`);
  });
}
