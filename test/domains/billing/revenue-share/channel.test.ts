import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { reducibleDebt, settlementOf } from '../../../../src/domains/billing/revenue-share/terms.ts';
import { type Cents, toCents, ZERO } from '../../../../src/platform/amounts/cents.ts';

const cases = [
  ['prepaid', 500n, 300n, { channel: 'wallet', settleDebt: 0n, settleWallet: 300n }],
  ['postpaid', 500n, 300n, { channel: 'debt', settleDebt: 300n, settleWallet: 0n }],
  ['postpaid', 300n, 300n, { channel: 'debt', settleDebt: 300n, settleWallet: 0n }],
  ['postpaid', 100n, 300n, { channel: 'split', settleDebt: 100n, settleWallet: 200n }],
  ['postpaid', 0n, 300n, { channel: 'wallet', settleDebt: 0n, settleWallet: 300n }],
  ['postpaid', -50n, 300n, { channel: 'wallet', settleDebt: 0n, settleWallet: 300n }],
  ['prepaid', 0n, 0n, { channel: 'none', settleDebt: 0n, settleWallet: 0n }],
  ['postpaid', 500n, 0n, { channel: 'none', settleDebt: 0n, settleWallet: 0n }],
] as const;

for (const [mode, debt, share, expected] of cases) {
  test(`${mode}, debt ${debt}, share ${share}: channel ${expected.channel}`, () => {
    assert.deepEqual(settlementOf(toCents(share), reducibleDebt(mode, toCents(debt))), expected);
  });
}

test('property: the channel amounts add up to the share, and never take the debt below zero', () => {
  const cents = fc.bigInt({ min: 0n, max: 1_000_000n }).map((n): Cents => toCents(n));
  fc.assert(
    fc.property(cents, cents, (amount, debt) => {
      const { settleDebt, settleWallet } = settlementOf(amount, debt);
      assert.equal(settleDebt + settleWallet, amount);
      assert.ok(settleDebt >= ZERO && settleWallet >= ZERO && settleDebt <= debt);
    }),
  );
});
