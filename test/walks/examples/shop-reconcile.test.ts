import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centsOf, retailCents } from '../../../examples/shop/money.ts';
import { differences, type Movement } from '../../../examples/shop/reconcile.ts';
import { type Order, Store } from '../../../examples/shop/store.ts';

const store = new Store(':memory:');
let made = 0;
const order = (more: Partial<Order>): Order =>
  store.add({
    id: `order-${++made}`,
    product_id: 'esc_0123456789abcdef',
    title: 'Japan 1 GB 7 days',
    email: 'a@example.com',
    retail_cents: 499,
    cost_cents: 350,
    status: 'delivered',
    ...more,
  });
const moved = (reference: string, cents: number): Movement => ({ id: ++made, reference, title: 'Japan', cents });
const told = (...about: Parameters<typeof differences>) => differences(...about).map(({ what }) => what);

test('orders that agree to the cent have no differences', () => {
  const [sold, waits, failed, refunded, unpaid] = [
    order({}),
    order({ status: 'waiting' }),
    order({ status: 'failed', owed_cents: 499, returned_cents: 499 }),
    order({ refund: 'refunded', refunded_cents: 350, owed_cents: 499, returned_cents: 499 }),
    order({ status: 'unpaid', cost_cents: 0 }),
  ];
  const movements = [
    ...[sold, waits, failed, refunded].map(({ id }) => moved(id, -350)),
    ...[failed, refunded].map(({ id }) => moved(id, 350)),
  ];
  const listed = [sold, waits, failed].map(({ id }, i) => ({
    id: '1',
    reference: id,
    status: ['1', '4', '2'][i] ?? '',
  }));
  assert.deepEqual(told([sold, waits, failed, refunded, unpaid], movements, listed), []);
});

test('every kind of difference is found and named', () => {
  const sold = order({});
  const charge = moved(sold.id, -350);
  assert.match(told([], [moved('', -120)], []).join(), /charged us \$1\.20 for an order we do not have/);
  assert.match(told([], [moved('gone', 120)], []).join(), /gave us back \$1\.20 for an order we do not have/);
  assert.match(told([sold], [], []).join(), /never charged/);
  assert.match(told([sold], [moved(sold.id, -351)], []).join(), /cost \$3\.50 here, but Wayfare charged \$3\.51/);
  assert.match(told([sold], [charge, moved(sold.id, -350)], []).join(), /Wayfare charged \$7\.00/);
  assert.match(told([sold], [charge, moved(sold.id, 1)], []).join(), /\$0\.00 came back here, but .* \$0\.01/);
  assert.match(told([sold], [charge], [{ id: '1', reference: sold.id, status: '2' }]).join(), /but failed at Wayfare/);
  const failed = order({ status: 'failed', owed_cents: 499 });
  const found = told([failed], [moved(failed.id, -350)], []).join();
  assert.match(found, /failed here, but Wayfare charged \$3\.50/);
  assert.match(found, /the customer is owed \$4\.99 and got \$0\.00/);
  const unknown = order({ status: 'paid', cost_cents: 0 });
  assert.match(told([unknown], [moved(unknown.id, -350)], []).join(), /paid here, but Wayfare charged/);
});

test('a retail price covers the cost, and cents are exact', () => {
  for (let cost = 1; cost < 30_000; cost += 7)
    assert.ok(retailCents(cost) > cost && /(49|99)$/.test(String(retailCents(cost))));
  assert.deepEqual(['0.29', 1.15, '1000.1', 4.35].map(centsOf), [29, 115, 100_010, 435]);
});
