import { fundsOf, spendable } from '../../../domains/money/ledger/ledger.ts';
import { type Cents, formatCents } from '../../../platform/amounts/cents.ts';

interface Held {
  readonly billingMode: 'prepaid' | 'postpaid';
  readonly creditLimit: Cents;
  readonly cash: Cents;
  readonly promo: Cents;
  readonly outstanding: Cents;
}

/** What a partner holds and owes, and what it can spend with that. */
export const walletView = (wallet: Held) => ({
  balance: formatCents(spendable(wallet)),
  cash: formatCents(wallet.cash),
  promo: formatCents(wallet.promo),
  debt: formatCents(wallet.outstanding),
  credit_limit: formatCents(wallet.creditLimit),
  available: formatCents(fundsOf(wallet).available(wallet)),
});

export type WalletView = ReturnType<typeof walletView>;
