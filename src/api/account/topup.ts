import { Type } from 'typebox';
import { centsToNumber, parseCents, toCents } from '../../money/money.ts';
import { endpoint } from '../endpoint.ts';
import { fail } from '../errors.ts';
import { custom, notPlain } from '../fields.ts';

const MIN = toCents(10_00n);
const MAX = toCents(10_000_00n);
const range = { min: centsToNumber(MIN), max: centsToNumber(MAX) };

const PLAIN_NUMBER = /^0*(\d+)(\.\d+)?$/;
const MOST_DIGITS = 15;
/** Zeros past the cents say nothing. Other digits there make it no amount of money: refused, never rounded. */
const ZEROS_PAST_CENTS = /(?<=\.\d{2})0+$/;

const amount = custom({
  schema: Type.Number({ minimum: range.min, maximum: range.max, description: 'USD, two decimals at most' }),
  required: true,
  errors: ['amount_required', 'amount_out_of_range'],
  parse(raw) {
    if (raw === undefined || raw === notPlain) throw fail('amount_required');
    const [, whole = '', fraction = ''] = PLAIN_NUMBER.exec(raw) ?? [];
    if (whole.length > MOST_DIGITS) throw fail('amount_out_of_range', range);
    const cents = parseCents(`${whole}${fraction}`.replace(ZEROS_PAST_CENTS, ''));
    if (cents === undefined || cents === 0n) throw fail('amount_required');
    if (cents < MIN || cents > MAX) throw fail('amount_out_of_range', range);
    return cents;
  },
});

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
  }),
  storeFailure: () => 'topup_record_failed',
  async handle({ topups, world, partnerId, now }, input) {
    const started = await topups.start(world, partnerId, input.amount, now);
    return {
      body: {
        id: started.paymentKey,
        client_secret: started.clientSecret,
        payment_key: started.paymentKey,
        status: started.status,
        amount: centsToNumber(started.amount),
        currency: started.currency,
      },
    };
  },
});
