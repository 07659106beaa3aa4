import { Type } from 'typebox';
import { centsToNumber } from '../../money/money.ts';
import { endpoint } from '../endpoint.ts';

export const balance = endpoint({
  path: '/account/balance',
  verb: 'GET',
  tier: 'read',
  summary: 'What the wallet can spend, in USD',
  fields: {},
  errors: [],
  simulated: [],
  reply: Type.Object({ balance: Type.Number() }),
  storeFailure: (codes) => codes.balanceRead,
  async handle({ world, partnerId }) {
    return { body: { balance: centsToNumber(await world.books.balance(partnerId)) } };
  },
});
