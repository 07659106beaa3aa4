import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/**
 * Refuses a change to a closed account. In a transaction the row stays locked, so the account is not closed while the change is
 * made, and two changes that both need it go one after the other. Call it before locking anything else of the partner's.
 */
export async function requireOpenPartner(db: Queryable, partnerId: number): Promise<void> {
  const partner = await db.maybe<{ isClosed: boolean }>(sql`
    select deleted_at is not null as "isClosed" from shared.partners where id = ${partnerId} for no key update`);
  if (!partner) throw new Refused('partner_not_found');
  if (partner.isClosed) throw new Refused('partner_closed', `partner ${partnerId} is closed`);
}
