import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface AuditEntry {
  who: string;
  /** The command, e.g. `partner set`. */
  what: string;
  /** What it was done to, e.g. `partner 7`. */
  target: string;
  before?: unknown;
  after?: unknown;
}

/** Recorded in the transaction of the change itself: no change without its entry. The owner's connection only. */
export async function audit(tx: Tx, { who, what, target, before, after }: AuditEntry): Promise<void> {
  await tx.run(sql`
    insert into shared.audit_log (who, what, target, before, after)
    values (${who}, ${what}, ${target}, ${json(before)}::jsonb, ${json(after)}::jsonb)`);
}

const json = (value: unknown): string | null =>
  value === undefined
    ? null
    : JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? inner.toString() : inner));
