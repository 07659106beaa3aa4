import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Pass } from '../proof/proof.ts';

/** What documents derived from the ledger need to know, and keep, of lines that go. */
export interface ArchivedDocuments {
  /** The id of the closed month that a line belongs to; null: none. */
  closingOf(line: Sql): Sql;
  /** Whether that month is before the moment. */
  isBefore(closing: Sql, until: Date): Sql;
  /** What is still open of the time before the moment: rows of `what` and `count`. */
  open(until: Date): Sql;
  /** A statement that keeps the sums of lines by month: `order_id`, `type`, `amount` without sign, `closing_id`. */
  keep(taken: Sql): Sql;
}

export interface ArchiveParts {
  /** The owner's connection to live: its role alone may delete from the ledger, and only what an archive has. */
  readonly db: Db;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'sign' | 'verify'>;
  readonly version: string;
  readonly documents: ArchivedDocuments;
  /** The rules of what other domains derive from the ledger. */
  readonly derived: readonly Pass[];
  progress(label: string, done: number, total: number): void;
}

/** The first moment after a year. */
export const endOf = (year: number): Date => new Date(Date.UTC(year + 1, 0, 1));
