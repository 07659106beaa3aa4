import { type Cents, toCents } from '../../../platform/amounts/cents.ts';

/** Named accounts of the double entry. The first three belong to the partner, the rest to the operator. */
export type LedgerAccount =
  | 'cash'
  | 'promo'
  | 'receivable'
  | 'revenue'
  | 'card_clearing'
  | 'bank_clearing'
  | 'promo_expense'
  | 'share_expense'
  | 'adjustment'
  | 'play_money';

export const walletMovementTypes = ['topup', 'purchase', 'refund', 'adjust', 'promo', 'profit_share'] as const;
export type WalletMovementType = (typeof walletMovementTypes)[number];
export const debtMovementTypes = ['charge', 'payment', 'adjust', 'refund', 'profit_share'] as const;
export type DebtMovementType = (typeof debtMovementTypes)[number];

export interface Transfer {
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: Cents;
}

/** One line of a partner's history (book `wallet`) or statement (book `debt`), with the transfers that carry it. */
export type Movement = {
  partnerId: number;
  transfers: readonly Transfer[];
  orderId?: bigint;
  note?: string;
  at: Date;
} & ({ book: 'wallet'; type: WalletMovementType } | { book: 'debt'; type: DebtMovementType });

/** A wallet row locked by the transaction. `post` keeps it in step with what it writes. */
export interface Wallet {
  readonly partnerId: number;
  readonly billingMode: 'prepaid' | 'postpaid';
  readonly creditLimit: Cents;
  readonly suspended: boolean;
  cash: Cents;
  promo: Cents;
  outstanding: Cents;
  /** How many lines each book has. The next line takes the next number. */
  walletLines: bigint;
  debtLines: bigint;
  /** The partner is notified when what it can spend falls below this; null: no alert. */
  readonly balanceAlert: Cents | null;
  /** How many balance-low and top-up events were published. They number the events. */
  balanceLowEvents: number;
  topupEvents: number;
}

export const spendable = (wallet: Pick<Wallet, 'cash' | 'promo'>): Cents => toCents(wallet.cash + wallet.promo);

/** A partner account grows when credited; the receivable is an asset, so it grows when debited. */
const signs = { cash: 1n, promo: 1n, receivable: -1n } as const;

export function apply(
  wallet: Pick<Wallet, 'cash' | 'promo' | 'outstanding'>,
  { debit, credit, amount }: Transfer,
): void {
  const change = (account: LedgerAccount, by: bigint) => {
    if (account === 'cash') wallet.cash = toCents(wallet.cash + signs.cash * by);
    else if (account === 'promo') wallet.promo = toCents(wallet.promo + signs.promo * by);
    else if (account === 'receivable') wallet.outstanding = toCents(wallet.outstanding + signs.receivable * by);
  };
  change(debit, -amount);
  change(credit, amount);
}

/** A movement that an operator makes by hand: one line with one transfer, of whatever amount they name. */
export type ManualMovement = { readonly transfer: Omit<Transfer, 'amount'> } & (
  | { readonly book: 'wallet'; readonly type: WalletMovementType }
  | { readonly book: 'debt'; readonly type: DebtMovementType }
);

/** Pure, because the console uses it, too: the balance it shows before a change is computed by the rules that make the change. */
export const manualMovements = {
  credit: { book: 'wallet', type: 'topup', transfer: { debit: 'bank_clearing', credit: 'cash' } },
  promo: { book: 'wallet', type: 'promo', transfer: { debit: 'promo_expense', credit: 'promo' } },
  payment: { book: 'debt', type: 'payment', transfer: { debit: 'bank_clearing', credit: 'receivable' } },
  adjust(account: 'cash' | 'promo' | 'receivable', by: 'add' | 'subtract'): ManualMovement {
    const isDebt = account === 'receivable';
    // A wallet grows when credited; a debt is the operator's asset and grows when debited.
    const credits = (by === 'add') !== isDebt;
    const transfer = credits
      ? ({ debit: 'adjustment', credit: account } as const)
      : ({ debit: account, credit: 'adjustment' } as const);
    return { book: isDebt ? 'debt' : 'wallet', type: 'adjust', transfer };
  },
} as const satisfies Readonly<Record<string, ManualMovement | ((...given: never[]) => ManualMovement)>>;
