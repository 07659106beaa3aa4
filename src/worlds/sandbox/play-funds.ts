import { fail } from '../../contract/errors.ts';
import type { Db } from '../../db/database.ts';
import { lockWallets, post, spendable, type Transfer } from '../../money/ledger.ts';
import { type Cents, centsToNumber, toCents } from '../../money/money.ts';

/** The ceiling of a sandbox balance: 1000000.00. */
export const MAX_BALANCE: Cents = toCents(1_000_000_00n);

export const balanceOperations = ['add', 'subtract', 'set'] as const;
export type BalanceOperation = (typeof balanceOperations)[number];

export interface ChangedBalance {
  readonly balance: Cents;
  readonly previous: Cents;
}

/** Play money comes from nowhere and goes there, but on the books like any other. */
export function changeBalance(
  db: Db,
  partnerId: number,
  operation: BalanceOperation,
  amount: Cents,
  at: Date,
): Promise<ChangedBalance> {
  return db.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const wallet = wallets.get(partnerId);
    if (!wallet) throw new Error(`partner ${partnerId} has no wallet`);
    const previous = spendable(wallet);
    const balance = { add: previous + amount, subtract: previous - amount, set: amount }[operation];
    if (balance < 0n || balance > MAX_BALANCE)
      throw fail('balance_out_of_range', { balance: centsToNumber(previous), max: centsToNumber(MAX_BALANCE) });
    const transfers = playMoney(toCents(balance - previous));
    if (transfers.length > 0)
      await post(tx, wallets, [
        { partnerId, book: 'wallet', type: 'adjust', transfers, note: `sandboxBalance ${operation}`, at },
      ]);
    return { balance: toCents(balance), previous };
  });
}

function playMoney(change: Cents): Transfer[] {
  if (change > 0n) return [{ debit: 'play_money', credit: 'cash', amount: change }];
  return change < 0n ? [{ debit: 'cash', credit: 'play_money', amount: toCents(-change) }] : [];
}
