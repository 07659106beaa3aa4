import type { ShareBook } from '../../domains/billing/revenue-share/revenue-share.ts';
import { type Books, ledgerBooks, ledgerWallets, noPeriods, type Periods } from '../../domains/money/books/books.ts';
import { type DebtMovementType, spendable, type WalletMovementType } from '../../domains/money/ledger/ledger.ts';
import { toCents, ZERO } from '../../platform/amounts/cents.ts';
import type { Walks } from '../../platform/db/query/walk.ts';
import type { Readers } from '../../platform/db/replicas.ts';

const NO_LINES = { limit: 0, start: 1 };

/** What a movement of a wallet is called on an account with invoice terms. */
const inStatements: Readonly<Record<WalletMovementType, DebtMovementType>> = {
  purchase: 'charge',
  topup: 'payment',
  promo: 'adjust',
  adjust: 'adjust',
  refund: 'refund',
  profit_share: 'profit_share',
};
const inHistory = (type: DebtMovementType): WalletMovementType =>
  type === 'charge' ? 'purchase' : type === 'payment' ? 'topup' : type;

/**
 * Play money leaves no trace in the books: the balance is real, every list is empty, the account is prepaid. The movements are kept
 * like those of real money and shown to those who ask for them. In the statement they are lines of a debt, so that the code that
 * reads it can be tested, too: money that can be spent is a negative debt. A test clock that is reset goes back, so their times
 * do not grow with their numbers.
 */
export function emptyBooks({ db, reads }: Readers, walks: Walks): Books & Periods & ShareBook {
  const kept = ledgerBooks(reads, walks, { areInTime: false });
  const account = { billingMode: 'prepaid', creditLimit: ZERO, status: 1, profitShareEnabled: false } as const;
  return {
    ...noPeriods,
    ...ledgerWallets(db),
    history: (partnerId, page, filter = {}) =>
      filter.withPlayMoney ? kept.history(partnerId, page, filter) : kept.history(partnerId, NO_LINES),
    async statement(partnerId, page, { type, withPlayMoney, ...filter } = {}) {
      if (!withPlayMoney) return { ...account, outstanding: ZERO, lines: [], hasMore: false, reached: undefined };
      const ofWallet = { ...filter, type: type && inHistory(type) };
      const { balances, lines, ...rest } = await kept.history(partnerId, page, ofWallet);
      return {
        ...account,
        outstanding: toCents(-spendable(balances)),
        lines: lines.map((line) => ({
          ...line,
          type: inStatements[line.type],
          amount: toCents(-line.amount),
          balanceAfter: toCents(-line.balanceAfter),
        })),
        ...rest,
      };
    },
    shares: async () => ({ enabled: false, rows: [], totalShare: ZERO, totalUnusedMb: 0n, reached: undefined }),
    sharesAfter: async () => [],
  };
}
