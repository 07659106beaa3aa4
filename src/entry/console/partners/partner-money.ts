import type { Line } from '../../../domains/money/books/books.ts';
import { fundsOf, spendable } from '../../../domains/money/ledger/ledger.ts';
import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import { type Cents, formatCents } from '../../../platform/amounts/cents.ts';
import { idOf, iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorAction, type OperatorCall, operatorRead } from '../action.ts';

const PER_PAGE = 25;
const MAX_PAGE = 1_000_000;

/** The lines of a partner's wallet or of its debt, newest first. */
export const partnerMoneyActions: readonly OperatorAction[] = [
  operatorRead('/operator/api/partners/{id}/movements', movements),
];

async function movements(call: OperatorCall) {
  const { db, worlds } = call.context;
  const { partnerId } = await findPartner(db, idOf(call));
  const filters = filtersFrom(call, 'ignored');
  const page = { limit: PER_PAGE, start: filters.page(MAX_PAGE) };
  const { books } = worlds.live;
  const read =
    filters.oneOf('book', ['wallet', 'debt']) === 'debt'
      ? await books.statement(partnerId, page)
      : await books.history(partnerId, page);
  return { movements: (read?.lines ?? []).map(lineView), has_more: read?.hasMore ?? false };
}

const lineView = (line: Line<string>) => ({
  id: String(line.id),
  type: line.type,
  amount: formatCents(line.amount),
  balance_after: formatCents(line.balanceAfter),
  order_id: line.orderId === null ? null : String(line.orderId),
  note: line.note,
  at: iso(line.at),
});

export type MovementsView = Awaited<ReturnType<typeof movements>>;

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
