import type { Queryable, Tx } from '../db/database.ts';
import { nothing, sql } from '../db/sql.ts';

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

export interface Change extends AuditEntry {
  readonly at: Date;
}

export interface ChangeFilter {
  readonly target: string | undefined;
  readonly who: string | undefined;
  readonly limit: number;
}

/** What was done, newest first. The owner's connection only. */
export function listChanges(db: Queryable, { target, who, limit }: ChangeFilter): Promise<Change[]> {
  const isFiltered = target !== undefined || who !== undefined;
  // Filtered, in another order than the primary key's: going by averages, the planner would read the whole log along that
  // key for somebody who changed little.
  return db.query(sql`
    select at, who, what, target, before, after from shared.audit_log
    where true ${target === undefined ? nothing : sql`and target = ${target}`}
      ${who === undefined ? nothing : sql`and who = ${who}`}
    order by ${isFiltered ? sql`at desc,` : nothing} id desc limit ${limit}`);
}
