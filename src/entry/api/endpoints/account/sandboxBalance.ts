import { centsToNumber, ZERO } from '../../../../platform/amounts/cents.ts';
import { said, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { balanceOperations, MAX_BALANCE } from '../../../../worlds/sandbox/tools.ts';
import { endpoint } from '../../endpoint.ts';
import { amountField } from './amount.ts';

const operation = custom({
  schema: vocabulary<(typeof balanceOperations)[number]>('What to do with the balance.', {
    add: 'Add the amount.',
    subtract: 'Subtract the amount. The result cannot be below 0.',
    set: 'Make the amount the balance.',
  }),
  required: true,
  errors: ['invalid_operation'],
  parse(raw) {
    const known = balanceOperations.find((name) => name === raw);
    if (!known) throw fail('invalid_operation');
    return known;
  },
});

const amount = amountField({ min: ZERO, max: MAX_BALANCE, paid: false });

export const sandboxBalance = endpoint({
  path: '/account/sandboxBalance',
  verb: 'POST',
  tier: 'purchase',
  permission: 'money',
  summary: 'Change the sandbox balance (sandbox keys only)',
  about: 'Use it to test a wallet that runs empty. Play money only; the live wallet is not touched.',
  needs: (world) => world.tools,
  fields: { operation, amount },
  errors: ['sandbox_only_action', 'balance_out_of_range'],
  simulated: ['invalid_operation', 'amount_required', 'balance_out_of_range', 'sandbox_balance_write_failed'],
  reply: Type.Object({
    balance: said.number('The balance now, in USD.'),
    previous_balance: said.number('The balance before, in USD.'),
  }),
  storeFailure: (codes) => codes.balanceWrite,
  async handle({ partnerId, now }, input, { port }) {
    const changed = await port.changeBalance(partnerId, input.operation, input.amount, now);
    const balance = centsToNumber(changed.balance);
    if (changed.outcome === 'out_of_range')
      throw fail('balance_out_of_range', { balance, max: centsToNumber(MAX_BALANCE) });
    return { body: { balance, previous_balance: centsToNumber(changed.previous) } };
  },
});
