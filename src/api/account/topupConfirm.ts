import { Type } from 'typebox';
import { fail } from '../../contract/errors.ts';
import { requiredText } from '../../contract/fields.ts';
import { centsToNumber } from '../../money/money.ts';
import { endpoint } from '../endpoint.ts';

export const topupConfirm = endpoint({
  path: '/account/topupConfirm',
  verb: 'POST',
  tier: 'money',
  summary: 'Verify a card payment and credit the wallet exactly once, however often you confirm',
  fields: { payment_key: requiredText('payment_key_required') },
  errors: [
    'topup_not_found',
    'topup_confirm_failed',
    'topup_not_available',
    'balance_out_of_range',
    'sandbox_balance_write_failed',
  ],
  simulated: ['topup_not_found', 'topup_confirm_failed'],
  reply: Type.Object({ status: Type.Enum(['succeeded', 'processing']), balance: Type.Number() }),
  storeFailure: (codes) => codes.balanceWrite,
  async handle({ world, partnerId, now }, input) {
    const confirmed = await world.topups.confirm(partnerId, input.payment_key, now);
    switch (confirmed.outcome) {
      case 'succeeded':
      case 'processing':
        return { body: { status: confirmed.outcome, balance: centsToNumber(confirmed.balance) } };
      case 'off':
        throw fail('topup_not_available');
      case 'not_found':
        throw fail('topup_not_found');
      case 'unconfirmed':
        throw fail('topup_confirm_failed');
      case 'above_ceiling': {
        const { balance, max } = confirmed;
        throw fail('balance_out_of_range', { balance: centsToNumber(balance), max: centsToNumber(max) });
      }
    }
  },
});
