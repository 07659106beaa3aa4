import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { marksOf } from '../../../../web/src/parts/charts/axis.ts';
import type { Measure } from '../../../../web/src/parts/charts/series.ts';
import {
  allOutcomes,
  amounts,
  counts,
  duration,
  moreNotCharged,
  outcomes,
  percents,
  share,
  times,
} from '../../../../web/src/subjects/insight/words.ts';

const chart = (measure: Measure, values: readonly number[], kind: 'bars' | 'line' = 'line') => ({
  ...{ label: '', pointsLabel: '', kind, measure },
  points: values.map((_, i) => ({ name: String(i), short: '' })),
  series: [{ name: 'one', colour: 1 as const, values }],
});
const labels = (measure: Measure, ...values: number[]) => marksOf(chart(measure, values)).map(({ label }) => label);

suite('the marks of a chart’s value axis', () => {
  test('share a unit that fits the largest value, and differ from each other', () => {
    for (const [measure, largest, expected] of [
      [times, 0.038, ['0 ms', '10 ms', '20 ms', '30 ms', '40 ms']],
      [times, 0.0004, ['0.0 ms', '0.1 ms', '0.2 ms', '0.3 ms', '0.4 ms']],
      [times, 0.8, ['0 ms', '200 ms', '400 ms', '600 ms', '800 ms']],
      [times, 1.7, ['0.0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s']],
      [times, 90, ['0 s', '25 s', '50 s', '75 s', '100 s']],
      [times, 300, ['0 min', '2 min', '4 min', '6 min']],
      [times, 36_000, ['0.0 h', '2.5 h', '5.0 h', '7.5 h', '10.0 h']],
      [amounts, 0.02, ['$0.000', '$0.005', '$0.010', '$0.015', '$0.020']],
      [amounts, 1.5, ['$0.00', '$0.50', '$1.00', '$1.50']],
      [amounts, 1_500, ['$0', '$500', '$1,000', '$1,500']],
      [amounts, 4_000_000, ['$0', '$1,000,000', '$2,000,000', '$3,000,000', '$4,000,000']],
      [percents, 100, ['0%', '25%', '50%', '75%', '100%']],
      [percents, 0.3, ['0.0%', '0.1%', '0.2%', '0.3%']],
      [counts, 1, ['0', '1']],
      [counts, 3, ['0', '1', '2', '3']],
      [counts, 12_000, ['0', '5,000', '10,000', '15,000']],
    ] as const)
      assert.deepEqual(labels(measure, 0, largest), expected, String(largest));
  });

  test('differ for values of any size, and the highest is not above them', () => {
    for (const measure of [times, amounts, percents, counts])
      for (let power = -4; power <= 9; power += 1)
        for (const digit of [1, 1.3, 2, 3.7, 5, 7.77, 9.99]) {
          const value = measure.whole ? Math.ceil(digit * 10 ** power) : digit * 10 ** power;
          const marks = marksOf(chart(measure, [0, value]));
          const texts = marks.map(({ label }) => label);
          assert.equal(new Set(texts).size, texts.length, `${value}: ${texts}`);
          assert.ok((marks.at(-1)?.value ?? 0) >= value * 0.999999, `${value}: ${texts}`);
          assert.ok(texts.length >= 2 && texts.length <= 7, `${value}: ${texts}`);
        }
  });

  test('go below zero as far as the lines do, and are there without any value', () => {
    assert.deepEqual(labels(amounts, -12, 30), ['−$20', '−$10', '$0', '$10', '$20', '$30']);
    assert.deepEqual(labels(amounts, -3), ['−$3', '−$2', '−$1', '$0']);
    for (const measure of [times, amounts, percents, counts]) assert.equal(labels(measure, 0).length, 2);
    assert.equal(labels(times).length, 2);
  });
});

test('a short time is not written as none', () => {
  const written = [0, 0.0001, 0.04, 0.1, 0.44, 12, 210].map(duration);
  assert.deepEqual(written, ['0 ms', '< 1 ms', '40 ms', '0.1 s', '0.4 s', '12 s', '3.5 min']);
});

test('a percentage is rounded, and is 100 or 0 only if that is exact', () => {
  assert.deepEqual(
    [share(1, 17), share(1999, 2000), share(1, 5000), share(3, 3), share(0, 3), share(0, 0)],
    ['5.9%', '99.9%', '0.1%', '100%', '0.0%', '–'],
  );
});

test('the outcomes of orders add up to the number shown', () => {
  const week = { orders: 221, delivered: 215, failed: 1, cancelled: 2, refused: 7 };
  assert.equal(outcomes(week), '215 delivered, 1 failed after payment, 2 cancelled, 3 on the way');
  assert.equal(
    allOutcomes(week),
    '228 orders: 215 delivered, 1 failed after payment, 2 cancelled, 3 on the way, 7 failed and were not charged',
  );
  assert.equal(
    allOutcomes({ orders: 0, delivered: 0, failed: 0, cancelled: 0, refused: 1 }),
    '1 order: 1 failed and was not charged',
  );
  assert.equal(allOutcomes({ orders: 0, delivered: 0, failed: 0, cancelled: 0, refused: 0 }), 'No orders');
  assert.deepEqual([moreNotCharged(7), moreNotCharged(0)], ['7 more failed and were not charged', undefined]);
});
