import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Intent } from '../../../../src/domains/billing/topups/cards.ts';
import { outcome, smaller, type TopupState } from '../../../../src/domains/billing/topups/outcome.ts';
import { type Cents, toCents, ZERO } from '../../../../src/platform/amounts/cents.ts';
import { HOUR } from '../../../../src/platform/clock.ts';

const CREATED = Date.parse('2026-03-01T10:00:00Z');
const open: TopupState = {
  paymentKey: 'topup_1',
  amount: toCents(5000n),
  currency: 'USD',
  status: 'requires_payment',
  recovered: ZERO,
  createdAt: new Date(CREATED),
};
const says = (state: Intent['state'], more: Partial<Intent> = {}): Intent => ({
  id: 'pi_1',
  paymentKey: 'topup_1',
  state,
  amount: open.amount,
  currency: 'USD',
  refunded: ZERO,
  disputed: ZERO,
  ...more,
});

test('credited only when the provider says succeeded', () => {
  for (const state of ['open', 'pending'] as const)
    assert.deepEqual(outcome(open, says(state), CREATED), {
      status: 'requires_payment',
      mismatch: null,
      credit: 0n,
      owed: 0n,
    });
  assert.equal(outcome(open, says('canceled'), CREATED).credit, 0n);
  assert.equal(outcome(open, says('succeeded'), CREATED).credit, 5000n);
});

test('another amount, currency or payment is never credited and says why', () => {
  const wrong = { amount: toCents(4999n) };
  assert.deepEqual(outcome(open, says('succeeded', wrong), CREATED), {
    status: 'failed',
    mismatch: 'paid 49.99 USD, asked for 50.00 USD',
    credit: 0n,
    owed: 0n,
  });
  for (const other of [{ currency: 'EUR' }, { paymentKey: 'topup_2' }, { amount: toCents(5001n) }])
    assert.equal(outcome(open, says('succeeded', other), CREATED).credit, 0n);
});

test('canceled by the provider is failed, canceled after a day unpaid is expired', () => {
  assert.equal(outcome(open, says('canceled'), CREATED + 23 * HOUR).status, 'failed');
  assert.equal(outcome(open, says('canceled'), CREATED + 24 * HOUR).status, 'expired');
});

test('however often and in whatever order events arrive, a payment is credited once, and no more is taken back than was returned', () => {
  const word = fc.record({
    state: fc.constantFrom<Intent['state'][]>('open', 'pending', 'succeeded', 'canceled'),
    amount: fc.constantFrom(5000n, 5000n, 5000n, 4000n).map(toCents),
    refunded: fc.bigInt(0n, 6000n).map(toCents),
    disputed: fc.bigInt(0n, 6000n).map(toCents),
    cash: fc.bigInt(0n, 6000n),
  });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      let topup = open;
      let credited = 0n;
      for (const { cash, ...said } of words) {
        const next = outcome(topup, says(said.state, said), CREATED);
        credited += next.credit;
        const recovered: Cents = toCents(topup.recovered + smaller(next.owed, cash + next.credit));
        topup = { ...topup, status: next.status, recovered };
        assert.ok(recovered >= 0n && recovered <= topup.amount);
        if (topup.status !== 'succeeded') assert.equal(recovered, 0n);
      }
      assert.equal(credited, topup.status === 'succeeded' ? 5000n : 0n);
    }),
  );
});
