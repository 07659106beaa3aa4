import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { movementsOf, post } from './transfers.ts';
import type { LedgerAccount, Movement, Wallet } from './wallet.ts';

/** Where the money of an order came from, or went back to. */
export interface Sources {
  readonly promo: Cents;
  readonly cash: Cents;
  readonly receivable: Cents;
}

const sources = ['promo', 'cash', 'receivable'] as const;
const total = ({ promo, cash, receivable }: Sources): Cents => toCents(promo + cash + receivable);

/** The refund exceeds what is left of the order's price. Nothing was written. */
export class RefundTooLarge extends Error {
  readonly left: Cents;

  constructor(left: Cents) {
    super('more than was paid');
    this.left = left;
  }
}

/**
 * Splits a refund over the sources in the proportion the order drew on them, so that promo money never comes back as cash.
 * The split is computed over all refunds of the order together, so the last one returns to every source exactly what it gave.
 */
export function refundParts(paid: Sources, returned: Sources, amount: Cents): Sources {
  const left = toCents(total(paid) - total(returned));
  if (amount > left || amount <= 0n) throw new RefundTooLarge(left);
  const receivable = toCents((paid.receivable * (total(returned) + amount)) / total(paid) - returned.receivable);
  const promo = toCents((paid.promo * (total(returned) + amount)) / total(paid) - returned.promo);
  return { promo, receivable, cash: toCents(amount - promo - receivable) };
}

interface Refund {
  readonly orderId: bigint;
  readonly partnerId: number;
  /** Undefined: everything that is left, which may be nothing. */
  readonly amount?: Cents | undefined;
}

/**
 * Returns what orders paid, wholly or in part, to where it came from. The caller has locked the wallets, so two refunds of an
 * order cannot overlap. Returns the total.
 */
export async function refundOrders(
  tx: Tx,
  wallets: ReadonlyMap<number, Wallet>,
  refunds: readonly Refund[],
  note: string,
  at: Date,
): Promise<Cents> {
  if (refunds.length === 0) return ZERO;
  const orderIds = refunds.map(({ orderId }) => orderId);
  // Each would be given all that is left.
  if (new Set(orderIds).size < orderIds.length) throw new Error('one order is refunded twice at once');
  const rows = await transfersOf(tx, orderIds);
  const movements = refunds.flatMap(({ orderId, partnerId, amount }): Movement[] => {
    const lines = rows.filter((row) => row.orderId === orderId);
    const [paid, returned] = [sumBy(lines, 'debit', ['purchase', 'charge']), sumBy(lines, 'credit', ['refund'])];
    const given = amount ?? toCents(total(paid) - total(returned));
    if (given === 0n) return [];
    const parts = refundParts(paid, returned, given);
    const transfers = sources
      .filter((source) => parts[source] > 0n)
      .map((source) => ({ debit: 'revenue', credit: source, amount: parts[source] }) as const);
    return [
      { partnerId, orderId, book: parts.receivable > 0n ? 'debt' : 'wallet', type: 'refund', transfers, note, at },
    ];
  });
  await post(tx, wallets, movements);
  return toCents(movements.flatMap(({ transfers }) => transfers).reduce((sum, { amount }) => sum + amount, 0n));
}

interface OrderTransfer {
  readonly orderId: bigint;
  readonly type: string;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount: Cents;
}

const transfersOf = (tx: Tx, orderIds: readonly bigint[]): Promise<OrderTransfer[]> =>
  tx.query<OrderTransfer>(sql`
    select moved.order_id as "orderId", moved.type, transfers.debit, transfers.credit, transfers.amount
    from (${movementsOf(sql`id, order_id, type`, sql`order_id = any(${orderIds}::bigint[])`)}) moved
      join transfers on transfers.movement_id = moved.id
    where moved.type in ('purchase', 'charge', 'refund')`);

function sumBy(lines: readonly OrderTransfer[], side: 'debit' | 'credit', types: readonly string[]): Sources {
  const of = (source: LedgerAccount) =>
    toCents(
      lines
        .filter((line) => types.includes(line.type) && line[side] === source)
        .reduce((sum, { amount }) => sum + amount, 0n),
    );
  return { promo: of('promo'), cash: of('cash'), receivable: of('receivable') };
}
