import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

export const balance = endpoint({
  path: '/account/balance',
  verb: 'GET',
  tier: 'read',
  summary: 'What the wallet can spend, in USD',
  about: 'On invoice terms, ask `account/statement` instead: there the credit limit and the debt decide.',
  reply: Type.Object({ balance: said.number('What the wallet can spend now, in USD.') }),
  storeFailure: (codes) => codes.balanceRead,
  async handle({ world, partnerId }) {
    return { body: { balance: centsToNumber(await world.books.balance(partnerId)) } };
  },
});
