import { balanceLow } from '../../domains/messages/events/events.ts';
import type { Webhooks } from '../../domains/messages/webhooks/webhooks.ts';
import { lockWallets, post, spendable, type Transfer, walletTx } from '../../domains/money/ledger/ledger.ts';
import type { ProfileNews, SoldEsim } from '../../domains/sales/esims/esims.ts';
import { noteProfileNews, type PhoneWorld } from '../../domains/sales/usage/usage.ts';
import { type Cents, toCents } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';
import { resetAccount } from './reset.ts';

/** The ceiling of a sandbox balance: 1000000.00. */
export const MAX_BALANCE: Cents = toCents(1_000_000_00n);

export const balanceOperations = ['add', 'subtract', 'set'] as const;
type BalanceOperation = (typeof balanceOperations)[number];

type ChangedBalance =
  | { readonly outcome: 'changed'; readonly balance: Cents; readonly previous: Cents }
  /** The result would be below zero or above the ceiling; `balance` is unchanged. */
  | { readonly outcome: 'out_of_range'; readonly balance: Cents };

/** Play money is created and destroyed at will, but goes through the ledger like any other. */
function changeBalance(
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

export type SandboxTools = ReturnType<typeof sandboxTools>;

/** What only a sandbox can do. */
export const sandboxTools = ({
  db,
  webhooks,
  newProfile,
}: PhoneWorld & { readonly db: Db; readonly webhooks: Webhooks }) => ({
  changeBalance: (partnerId: number, operation: BalanceOperation, amount: Cents, now: number) =>
    changeBalance({ db, webhooks }, partnerId, operation, amount, new Date(now)),
  reset: (partnerId: number, now: number) => resetAccount(db, partnerId, new Date(now)),
  /** Plays the phone of an eSIM: what is sent becomes known of it, at this time, and its events are sent. */
  async playProfile(esim: SoldEsim, played: Omit<ProfileNews, 'seenAt'>, now: number): Promise<void> {
    if (Object.values(played).every((value) => value === undefined)) return;
    // A phone is seen in a country; where it is does not change with the rest.
    const news = { ...played, ...(played.country !== undefined && { seenAt: new Date(now) }) };
    await db.tx((tx) => noteProfileNews(tx, { webhooks, newProfile }, esim, news, now));
  },
});
