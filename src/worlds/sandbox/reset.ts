import { forgetInvoices } from '../../domains/billing/invoices/invoices.ts';
import type { ShareBook } from '../../domains/billing/revenue-share/revenue-share.ts';
import { forgetTopups } from '../../domains/billing/topups/topups.ts';
import { forgetSales } from '../../domains/insight/rollups/rollups.ts';
import { orderDeliveries } from '../../domains/messages/webhooks/webhooks.ts';
import { type Books, ledgerBooks, ledgerWallets, noPeriods, type Periods } from '../../domains/money/books/books.ts';
import {
  type DebtMovementType,
  forgetMovements,
  lockWallets,
  post,
  spendable,
  type WalletMovementType,
  walletTx,
} from '../../domains/money/ledger/ledger.ts';
import { SANDBOX_OPENING } from '../../domains/partners/accounts/accounts.ts';
import { orderMarks } from '../../domains/sales/orders/orders.ts';
import { forgetReachedLimits } from '../../domains/sales/purchase/purchase.ts';
import { forgetRefunds } from '../../domains/sales/refunds/refunds.ts';
import { forgetReplacements } from '../../domains/sales/replacements/replacements.ts';
import { forgetEsimEvents, forgetReadings } from '../../domains/sales/usage/usage.ts';
import { forgetSupplierCalls } from '../../domains/supply/calls/calls.ts';
import { toCents, ZERO } from '../../platform/amounts/cents.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/query/sql.ts';
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
  const kept = ledgerBooks(reads, walks, { areTimesAscending: false });
  const account = { billingMode: 'prepaid', creditLimit: ZERO, status: 1, profitShareEnabled: false } as const;
  return {
    ...noPeriods,
    ...ledgerWallets(db),
    history: (partnerId, page, filter = {}) =>
      filter.withPlayMoney ? kept.history(partnerId, page, filter) : kept.history(partnerId, NO_LINES),
    async statement(partnerId, page, { type, withPlayMoney, ...filter } = {}) {
      if (!withPlayMoney)
        return {
          ...account,
          outstanding: ZERO,
          lines: [],
          hasMore: false,
          total: 0,
          reached: undefined,
          archivedUntil: null,
        };
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

/**
 * Resets the account's sandbox to its first state: no orders, none of their deliveries, no top-ups, no movements of play money.
 * One transaction under the wallet's lock, which everything that moves its money takes first. This connection cannot touch live tables.
 */
export function resetAccount(db: Db, partnerId: number, at: Date) {
  return walletTx(db, partnerId, async (tx) => {
    // A hundred thousand orders take seconds.
    await tx.run(sql`set local statement_timeout = '60s'`);
    const wallets = await lockWallets(tx, [partnerId]);
    const wallet = wallets.get(partnerId);
    if (!wallet) throw new Error(`partner ${partnerId} has no wallet`);
    await forgetInvoices(tx, partnerId);
    await forgetTopups(tx, partnerId);
    await forgetReadings(tx, partnerId);
    await forgetEsimEvents(tx, partnerId);
    await forgetSupplierCalls(tx, partnerId);
    await forgetReachedLimits(tx, partnerId);
    await forgetRefunds(tx, partnerId);
    await forgetReplacements(tx, partnerId);
    const deletedOrders = await orderMarks.forget(tx, partnerId);
    // After the orders: an order that was being delivered meanwhile has recorded its events by now.
    await orderDeliveries.forget(tx, partnerId);
    await forgetMovements(tx, sql`partner_id = ${partnerId}`);
    await forgetSales(tx, partnerId);
    Object.assign(wallet, { cash: ZERO, promo: ZERO, outstanding: ZERO, walletLines: 0n, debtLines: 0n });
    await post(tx, wallets, [
      {
        partnerId,
        book: 'wallet',
        type: 'adjust',
        transfers: [{ debit: 'play_money', credit: 'cash', amount: SANDBOX_OPENING }],
        note: 'sandbox opening balance',
        at,
      },
    ]);
    return { deletedOrders, balance: SANDBOX_OPENING };
  });
}
