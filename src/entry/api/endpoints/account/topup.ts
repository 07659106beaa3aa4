import { topupRange } from '../../../../domains/billing/topups/topups.ts';
import { centsToNumber } from '../../../../platform/amounts/cents.ts';
import { nullable, said, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { plainly } from '../../../../platform/contract/json.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { amountField } from './amount.ts';

const amount = amountField({ ...topupRange, paid: true });

export const topup = endpoint({
  path: '/account/topup',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  summary: 'Open a card payment that tops up the wallet',
  about:
    'Nothing is credited yet. Pay with `client_secret` in the client SDK of the payment provider, then send `payment_key` to `account/topupConfirm`.',
  fields: { amount },
  errors: ['topup_failed', 'topup_not_available', 'topup_record_failed'],
  simulated: ['topup_not_available', 'amount_out_of_range', 'topup_failed', 'topup_record_failed'],
  reply: Type.Object({
    id: said.text('The payment; the same as `payment_key`.'),
    client_secret: said.text("For the payment provider's own client SDK."),
    payment_key: said.text('Send it to `account/topupConfirm` once paid.'),
    status: vocabulary('What the payment waits for.', {
      requires_payment: 'Pay with the client secret, then confirm.',
      requires_confirmation: 'Nothing is left to pay: confirm.',
    }),
    amount: said.number('What will be credited, in USD.'),
    currency: said.text('Always `USD`.'),
    provider: said.text('Who takes the payment: `stripe`, or a simulated provider.'),
    publishable_key: nullable(
      said.text(
        'Together with the client secret, it completes the payment in a page of your own; null if there is none.',
        'pk_live_51N…',
      ),
    ),
  }),
  storeFailure: () => 'topup_record_failed',
  async handle({ world, partnerId, now }, input) {
    const started = await world.topups.start(partnerId, input.amount, now);
    if (started.outcome === 'off') throw fail('topup_not_available');
    if (started.outcome === 'not_opened') throw fail('topup_failed');
    return {
      body: {
        id: started.paymentKey,
        ...plainly(started, 'clientSecret', 'paymentKey', 'status', 'currency', 'provider'),
        amount: centsToNumber(started.amount),
        publishable_key: started.publishableKey ?? null,
      },
    };
  },
});
