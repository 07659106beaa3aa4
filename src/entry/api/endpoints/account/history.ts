import type { BookedLine } from '../../../../domains/money/books/books.ts';
import { spendable, type WalletMovementType } from '../../../../domains/money/ledger/ledger.ts';
import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { named, nullable, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import {
  archivedBefore,
  archivedView,
  ledgerFields,
  lineFilterOf,
  moreMovements,
  ofOrder,
  ofOrderView,
  paging,
  reachedStart,
} from './paging.ts';

const type = vocabulary<WalletMovementType>('What moved the money.', {
  topup: 'Money came in: a card payment, or a bank transfer the operator recorded.',
  purchase: 'An order was paid.',
  refund: 'The price of an order, or a part of it, came back.',
  adjust: 'The operator corrected the balance, or a card payment was returned.',
  promo: 'The operator gave promotional money.',
  profit_share: 'A share of the cost of unused data was paid, or taken back after a refund.',
});

const Item = named('Movement', 'One movement of the wallet.', {
  id: said.integer('The number of the movement.'),
  type,
  amount: said.number('What it changed, in USD: negative if money left the wallet.'),
  balance_after: said.number('The balance it left, in USD.'),
  order_id: nullable(said.integer('The order it belongs to; null if it belongs to none.')),
  ...ofOrder,
  note: said.text('A note for people; may be empty.'),
  date: utcTime('When it happened.'),
});

const Balances = named('Balances', 'The wallet in its parts, in USD.', {
  balance: said.number('What can be spent: `promo` and `cash` together.'),
  promo: said.number('Promotional money. A purchase takes it first.'),
  cash: said.number('Money that was paid in.'),
  debt: said.number('What an account on invoice terms owes.'),
});

export const history = endpoint({
  path: '/account/history',
  verb: 'GET',
  tier: 'read',
  summary: 'Wallet movements, newest first, each with the balance it left',
  fields: { ...paging, ...ledgerFields },
  errors: ['history_read_failed'],
  reply: Type.Object({
    ledger: Type.Array(Item, { description: 'The movements, newest first.' }),
    balance: said.number('What the wallet can spend now, in USD.'),
    balances: Balances,
    has_more: moreMovements,
    start: reachedStart,
    archived_before: archivedBefore,
  }),
  storeFailure: () => 'history_read_failed',
  async handle({ world, partnerId }, { limit, start, ...filters }) {
    const { balances, lines, hasMore, reached, archivedUntil } = await world.books.history(
      partnerId,
      { limit, start },
      lineFilterOf(filters),
    );
    const { cash, promo, outstanding } = balances;
    const balance = centsToNumber(spendable(balances));
    return {
      body: {
        ledger: lines.map(item),
        balance,
        balances: { balance, promo: centsToNumber(promo), cash: centsToNumber(cash), debt: centsToNumber(outstanding) },
        has_more: hasMore,
        ...(reached === undefined ? {} : { start: reached }),
        ...archivedView(archivedUntil),
      },
    };
  },
});

const item = (line: BookedLine<WalletMovementType>) => ({
  id: Number(line.id),
  type: line.type,
  amount: centsToNumber(line.amount),
  balance_after: centsToNumber(line.balanceAfter),
  order_id: line.orderId === null ? null : Number(line.orderId),
  ...ofOrderView(line),
  note: line.note,
  date: timestamp(line.at),
});
