import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { linesOfOrder, type OrderTransfer, transfersOfOrder } from './lines.ts';

/** A partner with books, closed accounts included. */
interface BookOwner {
  readonly partnerId: number;
  readonly name: string;
}

/** The next ones by id. */
const bookOwnersAfter = (db: Queryable, partnerId: number, limit: number): Promise<BookOwner[]> =>
  db.query(sql`
    select partner_id as "partnerId", partners.name from wallets join partners on partners.id = partner_id
    where partner_id > ${partnerId} order by partner_id limit ${limit}`);

/** What operators read of a world's ledger. */
export interface LedgerLook {
  /** The next partners with books, by id. */
  ownersAfter(partnerId: number, limit: number): Promise<BookOwner[]>;
  linesOfOrder(orderId: bigint): ReturnType<typeof linesOfOrder>;
  transfersOfOrder(orderId: bigint): Promise<OrderTransfer[]>;
}

export const lookAtLedger = (db: Queryable): LedgerLook => ({
  ownersAfter: (partnerId, limit) => bookOwnersAfter(db, partnerId, limit),
  linesOfOrder: (orderId) => linesOfOrder(db, orderId),
  transfersOfOrder: (orderId) => transfersOfOrder(db, orderId),
});
