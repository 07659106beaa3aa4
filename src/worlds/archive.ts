import pkg from '../../package.json' with { type: 'json' };
import { archivedInvoices, invoicePass } from '../domains/billing/invoices/invoices.ts';
import {
  type ArchivedYear,
  type ArchiveParts,
  archiveYear,
  type ComparedArchives,
  compareArchives,
  countTo,
  yearsBefore,
} from '../domains/money/archive/archive.ts';
import type { OnProgress } from '../domains/money/proof/proof.ts';
import type { Clock } from '../platform/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { searchPathOf } from '../platform/db/search-path.ts';
import type { Vault } from '../platform/vault/secrets.ts';

interface Archivist {
  readonly url: string;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly progress: OnProgress;
}

/** On its own connection without a statement timeout, because it reads every row; as the owner, because only that role may delete. */
async function withLive<T>({ url, ...archivist }: Archivist, work: (parts: ArchiveParts) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, name: 'archive', searchPath: searchPathOf('live'), statementTimeoutMs: 0 });
  try {
    return await work({ ...archivist, db, version: pkg.version, documents: archivedInvoices, derived: [invoicePass] });
  } finally {
    await db.close();
  }
}

/** Archives the years before one that are not archived, the oldest first. Without a folder it only says what that would take. */
export const archiveBefore = (
  archivist: Archivist,
  before: number,
  folder: string | undefined,
): Promise<readonly ArchivedYear[]> =>
  withLive(archivist, async (parts) => {
    const years = await yearsBefore(parts, before);
    if (folder === undefined) return years.length === 0 ? [] : [await countTo(parts, before - 1)];
    const archived: ArchivedYear[] = [];
    for (const year of years) archived.push(await archiveYear(parts, year, folder));
    return archived;
  });

/** Proves the files of archived years, and that the database says the same. */
export const proveArchives = (archivist: Archivist, files: readonly string[]): Promise<ComparedArchives> =>
  withLive(archivist, (parts) => compareArchives(parts, files));
