import type { Line } from '../../domains/money/books/books.ts';
import { spendable } from '../../domains/money/ledger/ledger.ts';
import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { type Cents, formatCents, toCents } from '../../platform/amounts/cents.ts';
import { command } from './command.ts';
import { integer, required } from './options.ts';

/** What a wallet holds and owes, as every command shows it. */
export const shownWallet = (wallet: { cash: Cents; promo: Cents; outstanding: Cents }) => ({
  balance: formatCents(spendable(wallet)),
  promo: formatCents(wallet.promo),
  cash: formatCents(wallet.cash),
  debt: formatCents(wallet.outstanding),
});

const shownLine = (line: Line<string>) => ({
  movement_id: line.id,
  type: line.type,
  amount: formatCents(line.amount),
  balance_after: formatCents(line.balanceAfter),
  order_id: line.orderId,
  note: line.note,
  at: line.at,
});

export const walletShowCommands = [
  command({
    path: ['wallet', 'show'],
    console: 'shown',
    summary: 'Show what a partner holds and owes, with the latest lines of its wallet and of its debt',
    options: {
      partner: required(integer('PARTNER_ID', 'the partner, open or closed')),
      limit: integer('N', 'at most this many lines of each; 10 by default'),
    },
    async run({ db, worlds }, { partner: id, limit = 10 }) {
      const partner = await findPartner(db, id);
      const { books } = worlds.live;
      const page = { limit, start: 1 };
      const { balances, lines } = await books.history(id, page);
      const statement = await books.statement(id, page);
      const creditLimit = toCents(partner.creditLimit);
      return {
        partner_id: id,
        billing_mode: partner.billingMode,
        suspended: partner.suspended,
        ...shownWallet(balances),
        credit_limit: formatCents(creditLimit),
        ...(partner.billingMode === 'postpaid' && {
          credit_left: formatCents(toCents(creditLimit - balances.outstanding)),
        }),
        history: lines.map(shownLine),
        statement: statement?.lines.map(shownLine) ?? [],
      };
    },
  }),
];
