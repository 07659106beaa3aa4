import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { DebtMovementType, Transfer, Wallet, WalletMovementType } from './wallet.ts';

type ChargeableWallet = Pick<Wallet, 'cash' | 'promo' | 'outstanding' | 'creditLimit'>;

export type Shortfall =
  | { code: 'insufficient_balance'; balance: Cents }
  | { code: 'credit_limit_exceeded'; outstanding: Cents; creditLimit: Cents; available: Cents };

type ChargeLine = { book: 'wallet'; type: WalletMovementType } | { book: 'debt'; type: DebtMovementType };

/** How one billing mode pays for a purchase. */
export interface Funds {
  readonly line: ChargeLine;
  available(wallet: ChargeableWallet): Cents;
  /** The transfers that pay `price`, or why it does not fit. Changes nothing. */
  charge(wallet: ChargeableWallet, price: Cents): readonly Transfer[] | Shortfall;
}

/** The price leaves the wallet at once: promo money first, then cash. */
const prepaid: Funds = {
  line: { book: 'wallet', type: 'purchase' },
  available: ({ cash, promo }) => toCents(cash + promo),
  charge(wallet, price) {
    const { promo } = wallet;
    const balance = prepaid.available(wallet);
    if (balance < price) return { code: 'insufficient_balance', balance };
    if (promo >= price) return [{ debit: 'promo', credit: 'revenue', amount: price }];
    const rest: Transfer = { debit: 'cash', credit: 'revenue', amount: toCents(price - promo) };
    return promo > 0n ? [{ debit: 'promo', credit: 'revenue', amount: promo }, rest] : [rest];
  },
};

/** No money moves; the price is added to the debt, never past the credit limit. */
const postpaid: Funds = {
  line: { book: 'debt', type: 'charge' },
  available: ({ outstanding, creditLimit }) => toCents(creditLimit - outstanding),
  charge(wallet, price) {
    const { outstanding, creditLimit } = wallet;
    const available = postpaid.available(wallet);
    if (available < price) return { code: 'credit_limit_exceeded', outstanding, creditLimit, available };
    return [{ debit: 'receivable', credit: 'revenue', amount: price }];
  },
};

export const fundsOf = ({ billingMode }: Pick<Wallet, 'billingMode'>): Funds =>
  billingMode === 'postpaid' ? postpaid : prepaid;
