import type { BasisPoints } from '../../../platform/amounts/percent.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { readPricingSettings } from '../../catalog/prices/prices.ts';

/** What the operator sets for every share. */
export interface ShareTerms {
  /** Days after the expiry before a share may be settled. */
  readonly graceDays: number;
  readonly totalShareCapPct: BasisPoints;
}

const GRACE = 'settlement_grace_days';
const DEFAULT_GRACE_DAYS = 3;

export async function readTerms(db: Queryable): Promise<ShareTerms> {
  const { cap } = await readPricingSettings(db);
  const stored = await db.maybe<{ days: number }>(sql`select value::int as days from settings where name = ${GRACE}`);
  return { graceDays: stored?.days ?? DEFAULT_GRACE_DAYS, totalShareCapPct: cap };
}

export async function writeGraceDays(tx: Tx, days: number): Promise<void> {
  await tx.run(sql`
    insert into settings (name, value) values (${GRACE}, to_jsonb(${days}::int))
    on conflict (name) do update set value = excluded.value`);
}
