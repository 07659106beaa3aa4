import type { BookedLine } from '../../../../domains/money/books/books.ts';
import { type DebtMovementType, debtMovementTypes } from '../../../../domains/money/ledger/ledger.ts';
import { formatCents, toCents } from '../../../../platform/amounts/cents.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { described, type Meanings, named, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { oneOfOrIgnored } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { billingMode } from '../../views.ts';
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

const Decimal = (description: string) => Type.String({ pattern: '^-?\\d+\\.\\d{2}$', description });

const meanings = {
  charge: 'An order was put on the account.',
  payment: 'You paid an invoice.',
  adjust: 'The operator corrected the debt.',
  refund: 'The price of an order, or a part of it, was taken off.',
  profit_share: 'A share of the cost of unused data lowered the debt, or was taken back after a refund.',
} satisfies Meanings<DebtMovementType>;

const Item = named('StatementLine', 'One movement of the debt.', {
  id: said.integer('The number of the movement.', 7),
  type: vocabulary('What moved the debt.', meanings),
  amount: said.text('What it changed, in USD, two decimals: a charge is positive, a payment negative.'),
  balance_after: Decimal('The debt it left, in USD, two decimals.'),
  ...ofOrder,
  note: said.text('A note for people; may be empty.'),
  date: utcTime('When it happened.'),
});

export const statement = endpoint({
  path: '/account/statement',
  verb: 'GET',
  tier: 'read',
  summary: 'The invoice-terms account: credit limit, outstanding debt and its movements, newest first',
  about:
    'An account that pays in advance is answered with zeros, once a billing account was opened for it. In the sandbox, `sandbox_ledger=1` shows the play money as if it were on invoice terms: money that can be spent is a negative debt.',
  fields: {
    ...paging,
    type: described('Only movements of this kind. Any other value is ignored.', oneOfOrIgnored(debtMovementTypes), {
      meanings,
    }),
    ...ledgerFields,
  },
  errors: ['partner_account_not_found'],
  reply: Type.Object({
    billing_mode: billingMode,
    credit_limit: Decimal('How far the account can go into debt, in USD, two decimals.'),
    outstanding: Decimal('The debt now, in USD, two decimals.'),
    available: Decimal('The credit limit minus the debt; may be negative.'),
    profit_share_enabled: Type.Enum([0, 1], { description: 'Whether your account earns a revenue share.' }),
    status: said.integer('1: active. 2: suspended, purchases are refused.'),
    currency: Type.Literal('USD', { description: 'The currency of all amounts.' }),
    ledger: Type.Array(Item, { description: 'The movements, newest first.' }),
    count: said.integer('How many are on this page.'),
    start: reachedStart,
    has_more: moreMovements,
    archived_before: archivedBefore,
  }),
  async handle({ world, partnerId }, { limit, start, type, ...filters }) {
    const read = await world.books.statement(partnerId, { limit, start }, { type, ...lineFilterOf(filters) });
    if (!read) throw fail('partner_account_not_found');
    return {
      body: {
        billing_mode: read.billingMode,
        credit_limit: formatCents(read.creditLimit),
        outstanding: formatCents(read.outstanding),
        available: formatCents(toCents(read.creditLimit - read.outstanding)),
        profit_share_enabled: read.profitShareEnabled ? 1 : 0,
        status: read.status,
        currency: 'USD',
        ledger: read.lines.map(item),
        count: read.lines.length,
        has_more: read.hasMore,
        ...(read.reached === undefined ? {} : { start: read.reached }),
        ...archivedView(read.archivedUntil),
      },
    };
  },
});

const item = (line: BookedLine<DebtMovementType>) => ({
  id: Number(line.id),
  type: line.type,
  amount: formatCents(line.amount),
  balance_after: formatCents(line.balanceAfter),
  ...ofOrderView(line),
  note: line.note,
  date: timestamp(line.at),
});
