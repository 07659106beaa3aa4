import { createHash } from 'node:crypto';
import type { CardPayments, Intent, Payment } from '../../domains/billing/topups/topups.ts';
import { ZERO } from '../../platform/amounts/cents.ts';

const intent = ({ paymentKey, amount, currency }: Payment, state: Intent['state']): Intent => ({
  id: paymentKey,
  paymentKey,
  state,
  amount,
  currency,
  refunded: ZERO,
  disputed: ZERO,
});

/** Calls no provider and waits for no card holder: every payment counts as made in full as soon as it is looked at. */
export const fakeCards: CardPayments = {
  name: 'sandbox',
  open: async (payment) => ({
    ...intent(payment, 'open'),
    clientSecret: `sbx_secret_${createHash('sha256').update(payment.paymentKey).digest('hex').slice(0, 32)}`,
  }),
  read: async (_id, payment) => intent(payment, 'succeeded'),
  cancel: async (_id, payment) => intent(payment, 'canceled'),
};
