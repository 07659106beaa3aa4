import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { fail } from '../../contract/errors.ts';
import { oneOfOrIgnored } from '../../contract/fields.ts';
import type { Line } from '../../money/money.ts';
import { type DebtMovementType, debtMovementTypes, formatCents, toCents } from '../../money/money.ts';
import { endpoint } from '../endpoint.ts';
import { paging } from './paging.ts';

const Decimal = Type.String({ pattern: '^-?\\d+\\.\\d{2}$' });

const Item = Type.Object({
  id: Type.Integer(),
  type: Type.Enum([...debtMovementTypes]),
  amount: Type.String({ description: 'Signed as it changed the debt: a charge is positive' }),
  balance_after: Decimal,
  note: Type.String(),
  date: Type.String(),
});

export const statement = endpoint({
  path: '/account/statement',
  verb: 'GET',
  tier: 'read',
  summary: 'The invoice-terms account: credit limit, outstanding debt and its movements, newest first',
  fields: {
    ...paging,
    type: oneOfOrIgnored(debtMovementTypes),
  },
  errors: ['partner_account_not_found'],
  simulated: ['partner_account_not_found'],
  reply: Type.Object({
    billing_mode: Type.Enum(['prepaid', 'postpaid']),
    credit_limit: Decimal,
    outstanding: Decimal,
    available: Type.String({ pattern: '^-?\\d+\\.\\d{2}$', description: 'May be negative' }),
    profit_share_enabled: Type.Enum([0, 1]),
    status: Type.Integer({ description: '1 active, 2 suspended' }),
    currency: Type.Literal('USD'),
    ledger: Type.Array(Item),
    count: Type.Integer(),
  }),
  async handle({ world, partnerId }, { limit, start, type }) {
    const read = await world.books.statement(partnerId, { limit, start }, type);
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
      },
    };
  },
});

const item = (line: Line<DebtMovementType>) => ({
  id: Number(line.id),
  type: line.type,
  amount: formatCents(line.amount),
  balance_after: formatCents(line.balanceAfter),
  note: line.note,
  date: timestamp(line.at),
});
