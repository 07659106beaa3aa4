import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import type { Line } from '../../money/money.ts';
import { centsToNumber, spendable, type WalletMovementType, walletMovementTypes } from '../../money/money.ts';
import { endpoint } from '../endpoint.ts';
import { paging } from './paging.ts';

const Item = Type.Object({
  id: Type.Integer(),
  type: Type.Enum([...walletMovementTypes]),
  amount: Type.Number({ description: 'Signed, USD' }),
  balance_after: Type.Number(),
  order_id: Type.Union([Type.Integer(), Type.Null()]),
  note: Type.String(),
  date: Type.String(),
});

export const history = endpoint({
  path: '/account/history',
  verb: 'GET',
  tier: 'read',
  summary: 'Wallet movements, newest first, each with the balance it left',
  fields: paging,
  errors: ['history_read_failed'],
  simulated: ['history_read_failed'],
  reply: Type.Object({
    ledger: Type.Array(Item),
    balance: Type.Number(),
    balances: Type.Object({ balance: Type.Number(), promo: Type.Number(), cash: Type.Number(), debt: Type.Number() }),
  }),
  storeFailure: () => 'history_read_failed',
  async handle({ world, partnerId }, { limit, start }) {
    const { balances, lines } = await world.books.history(partnerId, { limit, start });
    const { cash, promo, outstanding } = balances;
    const balance = centsToNumber(spendable(balances));
    return {
      body: {
        ledger: lines.map(item),
        balance,
        balances: { balance, promo: centsToNumber(promo), cash: centsToNumber(cash), debt: centsToNumber(outstanding) },
      },
    };
  },
});

const item = (line: Line<WalletMovementType>) => ({
  id: Number(line.id),
  type: line.type,
  amount: centsToNumber(line.amount),
  balance_after: centsToNumber(line.balanceAfter),
  order_id: line.orderId === null ? null : Number(line.orderId),
  note: line.note,
  date: timestamp(line.at),
});
