import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { CardPayments, Payment } from '../../src/domains/billing/topups/cards.ts';
import { toCents, ZERO } from '../../src/platform/amounts/cents.ts';

/** A provider under test and the card holder's hand on it. */
interface CardsUnderTest extends AsyncDisposable {
  readonly cards: CardPayments;
  pay(intentId: string): Promise<void>;
}

const payment = (amount = 2500n): Payment => ({
  paymentKey: `topup_${randomBytes(8).toString('hex')}`,
  amount: toCents(amount),
  currency: 'USD',
});

/** What top-ups rely on, for every card provider. */
export function cardsSuite(name: string, start: () => Promise<CardsUnderTest>): void {
  test(`${name}: an opened intent carries our reference, amount and currency and a client secret`, async () => {
    await using t = await start();
    const asked = payment();
    const intent = await t.cards.open(asked);
    assert.notEqual(intent.clientSecret, '');
    const { paymentKey, amount, currency, state } = intent;
    assert.deepEqual({ paymentKey, amount, currency }, asked);
    assert.equal(state, 'open');
  });

  test(`${name}: opening again under the same payment key gives the same intent`, async () => {
    await using t = await start();
    const asked = payment();
    const [first, second] = [await t.cards.open(asked), await t.cards.open(asked)];
    assert.deepEqual(second, first);
    const other = await t.cards.open(payment());
    assert.notEqual(other.id, first.id);
    assert.notEqual(other.clientSecret, first.clientSecret);
  });

  test(`${name}: a paid intent reads as succeeded with what was received, as often as it is read`, async () => {
    await using t = await start();
    const asked = payment(12_345n);
    const { id } = await t.cards.open(asked);
    await t.pay(id);
    const paid = await t.cards.read(id, asked);
    assert.deepEqual(paid, { id, ...asked, state: 'succeeded', refunded: ZERO, disputed: ZERO });
    assert.deepEqual(await t.cards.read(id, asked), paid);
  });

  test(`${name}: a canceled intent is closed, and canceling again changes nothing`, async () => {
    await using t = await start();
    const asked = payment();
    const { id } = await t.cards.open(asked);
    assert.equal((await t.cards.cancel(id, asked)).state, 'canceled');
    assert.equal((await t.cards.cancel(id, asked)).state, 'canceled');
  });
}

/** What a provider with a card holder of its own owes besides: the sandbox has none, there the confirm call pays. */
export function payerSuite(name: string, start: () => Promise<CardsUnderTest>): void {
  test(`${name}: an unpaid intent reads as open`, async () => {
    await using t = await start();
    const asked = payment();
    const { id } = await t.cards.open(asked);
    assert.equal((await t.cards.read(id, asked)).state, 'open');
  });

  test(`${name}: canceling a paid intent leaves it paid`, async () => {
    await using t = await start();
    const asked = payment();
    const { id } = await t.cards.open(asked);
    await t.pay(id);
    assert.equal((await t.cards.cancel(id, asked)).state, 'succeeded');
    assert.equal((await t.cards.read(id, asked)).state, 'succeeded');
  });

  test(`${name}: a canceled intent cannot be paid any more`, async () => {
    await using t = await start();
    const asked = payment();
    const { id } = await t.cards.open(asked);
    await t.cards.cancel(id, asked);
    await t.pay(id).catch(() => {});
    assert.equal((await t.cards.read(id, asked)).state, 'canceled');
  });
}
