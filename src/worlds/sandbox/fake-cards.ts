import { createHash } from 'node:crypto';
import { ZERO } from '../../money/money.ts';
import type { CardPayments, Intent, Payment } from '../../topups/topups.ts';

const intent = ({ paymentKey, amount, currency }: Payment, state: Intent['state']): Intent => ({
  id: paymentKey,
  paymentKey,
  state,
  amount,
  currency,
  refunded: ZERO,
  disputed: ZERO,
});

/** No provider is called and no card holder is waited for: whoever asks finds the payment made, as asked for. */
export const fakeCards: CardPayments = {
  name: 'sandbox',
  open: async (payment) => ({
    ...intent(payment, 'open'),
    clientSecret: `sbx_secret_${createHash('sha256').update(payment.paymentKey).digest('hex').slice(0, 32)}`,
  }),
  read: async (_id, payment) => intent(payment, 'succeeded'),
  cancel: async (_id, payment) => intent(payment, 'canceled'),
};
