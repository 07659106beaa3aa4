import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flightsOf } from '../../../support/database/flights.ts';
import { testApp } from '../../../support/program/app.ts';
import { setLimits, spender } from '../../../support/sales/limits.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';

/** What only a purchase sends while no jobs run. */
const isPurchase = (flight: readonly string[]) =>
  flight.some((statement) => ['begin', 'insert into', 'commit', 'with moved', 'with claimed'].includes(statement));

test("a purchase is three round trips in live and four in the sandbox, besides its supplier's own", async () => {
  await using t = await testApp({ role: 'api' });
  const partnerId = await t.partner();
  await credit(t, partnerId, '100.00');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  for (const [mode, expected] of [
    ['live', 3],
    ['sandbox', 4],
  ] as const) {
    const key = await t.key(partnerId, mode);
    const flights = await flightsOf(async () => assert.equal((await buy(t, key, alias)).status, 200));
    assert.equal(flights.filter(isPurchase).length, expected, `${mode}: ${JSON.stringify(flights)}`);
  }
});

test('limits are decided without another round trip, and a purchase without any sends no statement for them', async () => {
  await using t = await testApp({ role: 'api' });
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const buyer = await spender(t);
  const tripped = async () => {
    const flights = await flightsOf(async () => assert.equal((await buy(t, buyer.key, alias)).status, 200));
    return flights.filter(isPurchase);
  };
  const without = await tripped();
  assert.doesNotMatch(JSON.stringify(without), /spent\./);
  await setLimits(buyer, 'key', ['day=1000x', 'order=50.00'], t);
  const limited = await tripped();
  assert.equal(limited.length, without.length, JSON.stringify(limited));
  assert.match(JSON.stringify(limited[0]), /spent\./, 'with the locks and the keys');
});
