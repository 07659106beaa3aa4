import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RefundTooLarge, refundParts, type Sources } from '../../../../src/domains/money/ledger/refund.ts';
import { toCents, ZERO } from '../../../../src/platform/amounts/cents.ts';

const none: Sources = { promo: ZERO, cash: ZERO, receivable: ZERO };
const prepaid = (promo: bigint, cash: bigint): Sources => ({
  promo: toCents(promo),
  cash: toCents(cash),
  receivable: ZERO,
});

test('a part goes back to promo and cash in the proportion drawn', () => {
  assert.deepEqual(refundParts(prepaid(600n, 400n), none, toCents(500n)), prepaid(300n, 200n));
});

test('a postpaid order is refunded to the debt', () => {
  const debt = { ...none, receivable: toCents(900n) };
  assert.deepEqual(refundParts(debt, none, toCents(900n)), debt);
});

test('never more than was paid', () => {
  assert.throws(() => refundParts(prepaid(0n, 1000n), prepaid(0n, 600n), toCents(401n)), RefundTooLarge);
  assert.throws(() => refundParts(none, none, toCents(1n)), RefundTooLarge);
});

test('property: any series of refunds gives each source back no more than it gave, and in the end exactly that', () => {
  const cents = fc.bigInt({ min: 0n, max: 100_000n });
  fc.assert(
    fc.property(cents, cents, fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 }), (promo, cash, percents) => {
      const paid = prepaid(promo, cash);
      let returned = none;
      for (const percent of [...percents, 100]) {
        const left = promo + cash - returned.promo - returned.cash;
        const amount = toCents((left * BigInt(percent)) / 100n);
        if (amount === 0n) continue;
        const parts = refundParts(paid, returned, amount);
        assert.equal(parts.promo + parts.cash, amount);
        assert.ok(parts.promo >= 0n && parts.cash >= 0n);
        returned = prepaid(returned.promo + parts.promo, returned.cash + parts.cash);
        assert.ok(returned.promo <= promo && returned.cash <= cash);
      }
      assert.deepEqual(returned, paid);
    }),
  );
});
