import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { KeptReading } from '../esims/esims.ts';

/** The last reading of each eSIM that has one, by ICCID. No supplier is asked. */
export async function lastReadings(db: Queryable, iccids: readonly string[]): Promise<Map<string, KeptReading>> {
  const rows = await db.query<KeptReading & { iccid: string }>(sql`
    select iccid, state, total_mb as "totalMb", used_mb as "usedMb", activated_at as "activatedAt", expires_at as "expiresAt",
      fetched_at as "fetchedAt"
    from usage_readings where iccid = any(${iccids}::text[]) and fetched_at is not null`);
  return new Map(rows.map(({ iccid, ...reading }) => [iccid, reading]));
}
