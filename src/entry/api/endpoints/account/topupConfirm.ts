import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { described, said, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { requiredText } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

export const topupConfirm = endpoint({
  path: '/account/topupConfirm',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  summary: 'Verify a card payment and credit the wallet exactly once, however often you confirm',
  about:
    'If you never confirm, a regular check credits the payment as well. While the provider still processes it, the answer is 200 with `processing`: ask again later.',
  fields: {
    payment_key: described('The `payment_key` of the top-up.', requiredText('payment_key_required'), {
      example: 'topup_9b2f6c1d0e8a47539b2f6c1d0e8a4753',
    }),
  },
  errors: [
    'topup_not_found',
    'topup_confirm_failed',
    'topup_not_available',
    'balance_out_of_range',
    'sandbox_balance_write_failed',
  ],
  simulated: ['topup_not_found', 'topup_confirm_failed'],
  reply: Type.Object({
    status: vocabulary('What became of the payment.', {
      succeeded: 'The wallet has the money.',
      processing: 'The payment provider has not finished. Ask again later.',
    }),
    balance: said.number('What the wallet can spend now, in USD.'),
  }),
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
