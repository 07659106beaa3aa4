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
import { type OnProgress, type Proof, proveBooks } from '../domains/money/proof/proof.ts';
import { formatCents, formatMicros, toCents, toMicros } from '../platform/amounts/cents.ts';
import type { Clock } from '../platform/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { worldRole } from '../platform/db/migrate/rights.ts';
import { searchPathOf } from '../platform/db/search-path.ts';
import type { Vault } from '../platform/vault/secrets.ts';

/** Figures that are cents; the others are counts. */
const MONEY = ['cash', 'promo', 'outstanding', 'revenue'];

/** What suppliers charge has six places. */
function shownFigure(name: string, value: bigint): string | bigint {
  if (name === 'replacement_cost') return formatMicros(toMicros(value));
  return MONEY.includes(name) ? formatCents(toCents(value)) : value;
}

const shown = ({ figures, drift }: Proof) => ({
  ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, shownFigure(name, value)])),
  drift,
});

/** On its own connection without a statement timeout, because the proof reads every row. */
async function proof(url: string, schema: keyof typeof worldRole, onProgress: OnProgress): Promise<Proof> {
  const searchPath = searchPathOf(schema);
  const db = openDatabase({ url, name: 'audit', role: worldRole[schema], searchPath, statementTimeoutMs: 0 });
  try {
    return await proveBooks(db, (done, total) => onProgress(schema, done, total), [invoicePass]);
  } finally {
    await db.close();
  }
}

export async function proveBoth(url: string, onProgress: OnProgress) {
  const live = await proof(url, 'live', onProgress);
  const sandbox = await proof(url, 'sandbox', onProgress);
  return {
    ok: live.drift.length + sandbox.drift.length === 0,
    // Always: results of earlier versions could also be `new`, of the latest rows only.
    proof: 'whole',
    live: shown(live),
    sandbox: shown(sandbox),
  };
}

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
