import type { DebtMovementType, Transfer, WalletMovementType } from './wallet.ts';

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
