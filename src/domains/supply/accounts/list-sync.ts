import { HOUR, MINUTE } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Log } from '../../../platform/log.ts';
import { catalogImports, type ImportParts } from '../../catalog/catalog.ts';
import { hasSettings, namedSuppliers, type Suppliers } from './registry.ts';

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

interface ListSyncParts extends Omit<ImportParts, 'author'> {
  readonly db: ImportParts['author']['db'];
  readonly suppliers: Suppliers;
  readonly kinds: readonly string[];
  readonly log: Log;
  readonly everyMs: number;
}

/** How long one import may take before another worker tries. */
const LEASE_MS = 10 * MINUTE;
/** Wait after a failure, by failures in a row; the last one repeats. */
const waits = [1 * MINUTE, 5 * MINUTE, 15 * MINUTE, 1 * HOUR];
/** Suppliers fail for a moment every now and then. After this many consecutive failures, somebody should look. */
const ALARMING_FAILURES = 3;

/**
 * Imports the list of every configured supplier whose last successful import (scheduled or by hand) is older than `everyMs`. A list
 * that would take more than a fifth of the supplier's plans off sale counts as failed: it is read again soon, in case it was only
 * truncated, and imported when it is whole again or an operator has confirmed it.
 */
export function listSyncJob(parts: ListSyncParts): Job {
  const { db, suppliers, kinds, clock, log, everyMs } = parts;
  const importParts = { ...parts, author: { db, who: 'schedule' } };

  async function sync(supplier: string, failuresBefore: number, signal: AbortSignal): Promise<void> {
    try {
      const counts = await importList(importParts, suppliers, supplier, { signal });
      await finish(supplier, { failures: 0, waitMs: 0 });
      if (!counts) return;
      const { plans, added, changed, off_sale: offSale, skipped } = counts;
      const line = { supplier, plans, added, changed, offSale, skipped };
      if (skipped > 0) log.warn(line, 'a list was imported without its bad rows: see `catalog imports`');
      else log.info(line, 'a list was imported');
    } catch (error) {
      // The process is stopping: the next worker that looks may start at once.
      if (signal.aborted) return finish(supplier, { failures: failuresBefore, waitMs: 0, failed: true });
      const failures = failuresBefore + 1;
      const waitMs = Math.min(waits[Math.min(failures, waits.length) - 1] as number, everyMs);
      await finish(supplier, { failures, waitMs, failed: true });
      const line = { supplier, reason: catalogImports.failure(error), failures, retryInSeconds: waitMs / 1000 };
      log[failures < ALARMING_FAILURES ? 'warn' : 'error'](
        line,
        'a list could not be imported; it will be tried again',
      );
    }
  }

  const finish = async (
    supplier: string,
    { failures, waitMs, failed = false }: { failures: number; waitMs: number; failed?: boolean },
  ): Promise<void> => {
    const now = clock.now();
    await db.run(sql`
      update catalog_syncs set not_before = ${new Date(now + waitMs)}, failures = ${failures},
        succeeded_at = case when ${failed} then succeeded_at else ${new Date(now)} end
      where supplier = ${supplier}`);
  };

  return {
    name: 'catalog sync',
    everyMs: MINUTE,
    async run(signal) {
      for (const supplier of await listing(db, kinds)) {
        if (signal.aborted) break;
        const claimed = await claim(db, supplier, clock.now(), everyMs);
        if (claimed) await sync(supplier, claimed.failures, signal);
      }
      return 0;
    },
  };
}

/** Suppliers that there are settings for, also those that were never imported. */
async function listing(db: Queryable, kinds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ slug: string; kind: string; hasRow: boolean }>(sql`
    select slug, kind, exists (select from supplier_accounts where supplier_accounts.slug = suppliers.slug) as "hasRow"
    from suppliers order by slug`);
  const known = rows.filter((row) => row.hasRow || hasSettings(kinds, row)).map(({ slug }) => slug);
  // A supplier with its own account does not count for the environment's.
  const isKnown = ({ slug, kind }: { slug: string; kind: string }) =>
    rows.some((row) => row.slug === slug || (kinds.includes(kind) && row.kind === kind && !row.hasRow));
  const fresh = namedSuppliers(kinds).filter((one) => !isKnown(one));
  return [...known, ...fresh.map(({ slug }) => slug)];
}

/** Takes the supplier's turn, if it is due and no other worker has it. */
function claim(
  db: Queryable,
  supplier: string,
  now: number,
  everyMs: number,
): Promise<{ readonly failures: number } | undefined> {
  const tooOld = new Date(now - everyMs);
  return db.maybe(sql`
    insert into catalog_syncs (supplier, not_before)
    select ${supplier}, ${new Date(now + LEASE_MS)}
    where not exists (select from suppliers where slug = ${supplier} and imported_at > ${tooOld})
    on conflict (supplier) do update set not_before = excluded.not_before
    where catalog_syncs.not_before <= ${new Date(now)}
      and (catalog_syncs.succeeded_at is null or catalog_syncs.succeeded_at <= ${tooOld})
    returning failures`);
}

interface ScheduledList {
  readonly supplier: string;
  /** Failures in a row since the last success. */
  readonly failures: number;
  /** Null: as soon as a worker looks; or there is no schedule. */
  readonly nextAt: Date | null;
}

/** The schedule of every supplier that is configured, by the rule that `claim` goes by. `everyMs` 0: there is none. */
export async function listSchedule(db: Queryable, kinds: readonly string[], everyMs: number): Promise<ScheduledList[]> {
  const rows = await db.query<{ slug: string; importedAt: Date | null }>(
    sql`select slug, imported_at as "importedAt" from suppliers`,
  );
  const syncs = await db.query<{ supplier: string; notBefore: Date; succeededAt: Date | null; failures: number }>(sql`
    select supplier, not_before as "notBefore", succeeded_at as "succeededAt", failures from catalog_syncs`);
  return (await listing(db, kinds)).map((supplier) => {
    const sync = syncs.find((one) => one.supplier === supplier);
    const good = [rows.find(({ slug }) => slug === supplier)?.importedAt, sync?.succeededAt].flatMap((at) => at ?? []);
    const due = [...good.map((at) => at.getTime() + everyMs), ...(sync ? [sync.notBefore.getTime()] : [])];
    const nextAt = everyMs === 0 || due.length === 0 ? null : new Date(Math.max(...due));
    return { supplier, failures: sync?.failures ?? 0, nextAt };
  });
}
