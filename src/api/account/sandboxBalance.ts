import { Type } from 'typebox';
import { fail } from '../../contract/errors.ts';
import { custom } from '../../contract/fields.ts';
import { centsToNumber, ZERO } from '../../money/money.ts';
import { balanceOperations, MAX_BALANCE } from '../../worlds/sandbox/play-funds.ts';
import { endpoint } from '../endpoint.ts';
import { amountField } from './amount.ts';

const operation = custom({
  schema: Type.Enum([...balanceOperations]),
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
  summary: 'Change the sandbox balance (sandbox keys only)',
  needs: (world) => world.tools,
  fields: { operation, amount },
  errors: ['sandbox_only_action', 'balance_out_of_range'],
  simulated: ['invalid_operation', 'amount_required', 'balance_out_of_range', 'sandbox_balance_write_failed'],
  reply: Type.Object({ balance: Type.Number(), previous_balance: Type.Number() }),
  storeFailure: (codes) => codes.balanceWrite,
  async handle({ partnerId, now }, input, { port }) {
    const changed = await port.changeBalance(partnerId, input.operation, input.amount, now);
    const balance = centsToNumber(changed.balance);
    if (changed.outcome === 'out_of_range')
      throw fail('balance_out_of_range', { balance, max: centsToNumber(MAX_BALANCE) });
    return { body: { balance, previous_balance: centsToNumber(changed.previous) } };
  },
});
