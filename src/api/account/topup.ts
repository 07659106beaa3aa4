import { Type } from 'typebox';
import { fail } from '../../contract/errors.ts';
import { centsToNumber } from '../../money/money.ts';
import { topupRange } from '../../topups/topups.ts';
import { endpoint } from '../endpoint.ts';
import { nullable } from '../views.ts';
import { amountField } from './amount.ts';

const amount = amountField({ ...topupRange, paid: true });

export const topup = endpoint({
  path: '/account/topup',
  verb: 'POST',
  tier: 'money',
  summary: 'Open a card payment that tops up the wallet',
  fields: { amount },
  errors: ['topup_failed', 'topup_not_available', 'topup_record_failed'],
  simulated: ['topup_not_available', 'amount_out_of_range', 'topup_failed', 'topup_record_failed'],
  reply: Type.Object({
    id: Type.String(),
    client_secret: Type.String({ description: "For the payment provider's own client SDK" }),
    payment_key: Type.String({ description: 'Goes to account/topupConfirm once paid' }),
    status: Type.Enum(['requires_payment', 'requires_confirmation']),
    amount: Type.Number(),
    currency: Type.String(),
    provider: Type.String({ description: 'Who takes the payment, e.g. `stripe`' }),
    publishable_key: nullable(
      Type.String({ description: 'With the client secret, finishes the payment in your own page' }),
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
        client_secret: started.clientSecret,
        payment_key: started.paymentKey,
        status: started.status,
        amount: centsToNumber(started.amount),
        currency: started.currency,
        provider: started.provider,
        publishable_key: started.publishableKey ?? null,
      },
    };
  },
});
