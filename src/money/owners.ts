import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** A partner with books, closed accounts included. */
export interface BookOwner {
  readonly partnerId: number;
  readonly name: string;
}

/** The next ones by id. */
export const bookOwnersAfter = (db: Queryable, partnerId: number, limit: number): Promise<BookOwner[]> =>
  db.query(sql`
    select partner_id as "partnerId", partners.name from wallets join partners on partners.id = partner_id
    where partner_id > ${partnerId} order by partner_id limit ${limit}`);
