import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** What the partner can spend: promo and cash. */
export async function readBalance(db: Queryable, partnerId: number): Promise<Cents> {
  const { balance } = await db.one<{ balance: bigint }>(sql`
    select cash + promo as balance from wallets where partner_id = ${partnerId}`);
  return toCents(balance);
}
