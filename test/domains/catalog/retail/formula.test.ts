import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Ending,
  endings,
  formatRetail,
  inDollars,
  marginOf,
  marginPercent,
  parseMarkup,
  parseRate,
  parseRetailPrice,
  type RetailAmount,
  retailPrice,
  revenueOf,
} from '../../../../src/domains/catalog/retail/formula.ts';
import { RetailPrices, retailSums } from '../../../../src/domains/catalog/retail/retail.ts';
import { type Cents, parseCents } from '../../../../src/platform/amounts/cents.ts';

const cents = (text: string): Cents => parseCents(text) as Cents;
const terms = (currency = 'USD', rate = '1', ending: Ending = 'none') => ({
  currency,
  rateMicros: parseRate(rate) ?? 0n,
  ending,
});
const priced = (cost: string, markup: number, of = terms()) => formatRetail(retailPrice(cents(cost), markup, of));

test('markup and rate are multiplied exactly and rounded once, half up', () => {
  assert.equal(priced('40.00', 3_330), '53.32');
  assert.equal(priced('0.05', 5_000), '0.08');
  assert.equal(priced('0.01', 4_999), '0.01');
  // 1.05 × 1.1 = 1.155 and × 0.92 = 1.0626: rounded in between it would be 1.07.
  assert.equal(priced('1.05', 1_000, terms('EUR', '0.92')), '1.06');
  assert.equal(priced('99999.99', 100_000, terms('EUR', '1000000')), '1099999890000.00');
});

test('an ending raises a price to the next one that has it, never lowers it, and leaves one that has it', () => {
  const at = (cost: string, ending: Ending) => priced(cost, 0, terms('USD', '1', ending));
  assert.deepEqual(
    ['0.10', '0.99', '1.00', '4.98', '4.99', '5.00'].map((cost) => at(cost, '.99')),
    ['0.99', '0.99', '1.99', '4.99', '4.99', '5.99'],
  );
  assert.deepEqual(
    [at('5.00', '.00'), at('5.01', '.00'), at('5.00', '.50'), at('5.51', '.50')],
    ['5.00', '6.00', '5.50', '6.50'],
  );
  // A hundredth of a cent above .99 is above it.
  assert.equal(priced('1.98', 5_051, terms('USD', '1', '.99')), '2.99');
  assert.equal(priced('1.00', 9_901, terms('USD', '1', '.99')), '2.99');
  for (const ending of Object.keys(endings) as Ending[])
    for (let cost = 1n; cost < 700n; cost += 13n) {
      const exact = (cost * 13_700n) / 10_000n;
      const price = retailPrice(cost as Cents, 3_700, terms('USD', '1', ending));
      assert.ok(price >= exact && price < exact + 101n, `${cost} ${ending}`);
      const last = endings[ending];
      if (last !== undefined) assert.equal(price % 100n, last);
    }
});

test('a currency without cents has whole prices, whatever the ending', () => {
  assert.equal(priced('10.00', 4_000, terms('JPY', '149.5')), '2093.00');
  assert.equal(priced('0.01', 0, terms('JPY', '49.9', '.99')), '0.00');
  assert.deepEqual([parseRetailPrice('1500', 'JPY'), parseRetailPrice('1500.50', 'JPY')], [150_000n, undefined]);
});

test('the margin is in dollars, and revenue shrinks by what was given back', () => {
  const euro = terms('EUR', '0.92');
  const price = parseRetailPrice('9.20', 'EUR') as RetailAmount;
  assert.equal(inDollars(price, euro), 1_000n);
  assert.equal(marginOf(price, cents('12.50'), euro), -250n);
  assert.deepEqual(
    [marginPercent(-250n as Cents, 1_000n as Cents), marginPercent(1n as Cents, 0n as Cents)],
    [-25, undefined],
  );
  const sold = { orders: 3, charged: cents('30.00'), returned: cents('10.00') };
  assert.equal(revenueOf(sold, price), 1_840n);
  assert.equal(revenueOf({ ...sold, returned: cents('30.00') }, price), 0n);
  assert.equal(revenueOf({ orders: 2, charged: 0n as Cents, returned: 0n as Cents }, price), 1_840n);
});

test('a plan’s price comes before its destination’s markup, and that before the general one', () => {
  const retail = new RetailPrices(
    { ...terms(), markup: 1_000 },
    { markups: new Map([['JP', 5_000]]), prices: new Map([['esc_a', 777n as RetailAmount]]), idlePrices: 0 },
  );
  const of = (plan: string, destination: string) => retail.of({ plan, destination, cost: cents('10.00') });
  assert.deepEqual(of('esc_a', 'JP'), { price: 777n, by: 'plan' });
  assert.deepEqual(of('esc_b', 'JP'), { price: 1_500n, by: 'destination' });
  assert.deepEqual(of('esc_b', 'FR'), { price: 1_100n, by: 'markup' });
  const sold = { orders: 2, charged: cents('20.00'), returned: cents('0.00') };
  assert.deepEqual(
    retailSums(retail, [
      { ...sold, plan: 'esc_a', destination: 'JP' },
      { ...sold, plan: 'esc_b', destination: 'JP' },
    ]),
    { revenue: 1_554n + 3_000n, margin: -446n + 1_000n, unpriced: 0n },
  );
  const without = new RetailPrices({ ...terms(), markup: null }, { ...retail.exceptions, markups: new Map() });
  assert.equal(without.of({ plan: 'esc_b', destination: 'JP', cost: cents('1.00') }), undefined);
  assert.equal(retailSums(without, [{ ...sold, plan: 'esc_b', destination: 'JP' }]).unpriced, 2_000n);
});

test('what is typed is read exactly or not at all', () => {
  assert.deepEqual(['0', '40', '12.5', '1000'].map(parseMarkup), [0, 4_000, 1_250, 100_000]);
  for (const wrong of ['', '-1', '1000.01', '1e3', '12.345', 'NaN', ' 4']) assert.equal(parseMarkup(wrong), undefined);
  assert.deepEqual(['1', '0.92', '0.000001'].map(parseRate), [1_000_000n, 920_000n, 1n]);
  for (const wrong of ['', '0', '-1', '1e3', '0.0000001', '1000001']) assert.equal(parseRate(wrong), undefined);
  for (const wrong of ['', '0', '-1', '1.234', '1e3', '100000000.01'])
    assert.equal(parseRetailPrice(wrong, 'USD'), undefined);
});
