import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type LedgerAccount, lockWallets, type Movement, post } from '../money/ledger.ts';
import { type Cents, toCents } from '../money/money.ts';

interface Charged {
  orderId: bigint;
  partnerId: number;
  book: 'wallet' | 'debt';
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: Cents;
}

/** Gives back what each order was charged and has not been given back yet, to the pockets it came from. */
export async function refundOrders(tx: Tx, orderIds: readonly bigint[], note: string, at: Date): Promise<void> {
  if (orderIds.length === 0) return;
  // A refund runs the charge's transfers backwards, so both sum up on one pair of accounts.
  const charged = await tx.query<Charged>(sql`
    select order_id as "orderId", partner_id as "partnerId", book, debit, credit, sum(amount) as amount
    from (
      select order_id, movements.partner_id, book, debit, credit, transfers.amount
      from movements join transfers on movement_id = movements.id
      where order_id = any(${orderIds}::bigint[]) and type in ('purchase', 'charge')
      union all
      select order_id, movements.partner_id, book, credit, debit, -transfers.amount
      from movements join transfers on movement_id = movements.id
      where order_id = any(${orderIds}::bigint[]) and type = 'refund'
    ) as transfer
    group by order_id, partner_id, book, debit, credit
    having sum(amount) > 0
    order by order_id`);
  const movements = [...Map.groupBy(charged, (line) => line.orderId).values()].map((lines): Movement => {
    const [{ orderId, partnerId, book }] = lines as [Charged];
    const transfers = lines.map(({ debit, credit, amount }) => ({
      debit: credit,
      credit: debit,
      amount: toCents(BigInt(amount)),
    }));
    return { partnerId, book, type: 'refund', orderId, note, at, transfers };
  });
  await post(tx, await lockWallets(tx, [...new Set(movements.map(({ partnerId }) => partnerId))]), movements);
}
