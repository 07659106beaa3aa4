import { balanceLow } from '../../domains/messages/events/events.ts';
import type { Webhooks } from '../../domains/messages/webhooks/webhooks.ts';
import { lockWallets, post, spendable, type Transfer, walletTx } from '../../domains/money/ledger/ledger.ts';
import { type Cents, toCents } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';

/** The ceiling of a sandbox balance: 1000000.00. */
export const MAX_BALANCE: Cents = toCents(1_000_000_00n);

export const balanceOperations = ['add', 'subtract', 'set'] as const;
export type BalanceOperation = (typeof balanceOperations)[number];

export type ChangedBalance =
  | { readonly outcome: 'changed'; readonly balance: Cents; readonly previous: Cents }
  /** The result would be below zero or above the ceiling; `balance` is unchanged. */
  | { readonly outcome: 'out_of_range'; readonly balance: Cents };

/** Play money is created and destroyed at will, but goes through the ledger like any other. */
export function changeBalance(
  { db, webhooks }: { readonly db: Db; readonly webhooks: Pick<Webhooks, 'publish'> },
  partnerId: number,
  operation: BalanceOperation,
  amount: Cents,
  at: Date,
): Promise<ChangedBalance> {
  return walletTx(db, partnerId, async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const wallet = wallets.get(partnerId);
    if (!wallet) throw new Error(`partner ${partnerId} has no wallet`);
    const previous = spendable(wallet);
    const balance = { add: previous + amount, subtract: previous - amount, set: amount }[operation];
    if (balance < 0n || balance > MAX_BALANCE) return { outcome: 'out_of_range', balance: previous };
    const transfers = playMoney(toCents(balance - previous));
    if (transfers.length > 0) {
      const note = `sandboxBalance ${operation}`;
      const low = await post(tx, wallets, [{ partnerId, book: 'wallet', type: 'adjust', transfers, note, at }]);
      if (low.length > 0)
        await webhooks.publish(
          tx,
          low.map((one) => balanceLow(one, at)),
        );
    }
    return { outcome: 'changed', balance: toCents(balance), previous };
  });
}

function playMoney(change: Cents): Transfer[] {
  if (change > 0n) return [{ debit: 'play_money', credit: 'cash', amount: change }];
  return change < 0n ? [{ debit: 'cash', credit: 'play_money', amount: toCents(-change) }] : [];
}
