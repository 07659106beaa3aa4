import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countChangedDays } from '../../../../src/domains/insight/rollups/sales-by-day.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { signedInOperator } from '../../../support/program/console.ts';
import { type Browser, browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { delivered } from '../../../support/sales/sales.ts';

const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
const { live } = t.base.worlds;

const small = await testPlan(t, { title: 'France 1 GB', price: 10, cost: 4 });
const large = await testPlan(t, { title: 'France 20 GB', amount: 20_480, price: 40, cost: 20 });
const partnerId = await t.partner();
const ana = await signedInAs(t, partnerId, 'finance');
const plans = async (by: Browser = ana) => (await by.get('/api/live/catalog/plans?destination=FR')).body;
const retailOf = async (alias: string, by: Browser = ana) =>
  (await plans(by)).plans.find(({ id }: { id: string }) => id === alias).retail;
await eventually('the catalog knows the plans', async () => (await plans()).total === 2);

const rule = { currency: 'USD', rate: '', markup: '40', ending: '.99' };

test('a rule, a destination and a plan set retail prices, the most specific wins, and margins follow', async () => {
  assert.equal(await retailOf(small.alias), null);
  const set = await ana.post('/api/retail/terms', rule);
  assert.deepEqual([set.status, set.body], [200, { currency: 'USD', rate: '1', markup: '40', ending: '.99' }]);
  assert.deepEqual(await retailOf(small.alias), { price: '14.99', margin: '4.99', margin_pct: 33, by: 'markup' });
  await ana.post('/api/retail/destination', { code: 'fr', markup: '100 %' });
  assert.deepEqual(await retailOf(small.alias), { price: '20.99', margin: '10.99', margin_pct: 52, by: 'destination' });
  await ana.post('/api/retail/plan', { plan: small.alias, price: '9,50' });
  assert.deepEqual(await retailOf(small.alias), { price: '9.50', margin: '-0.50', margin_pct: -5, by: 'plan' });
  assert.deepEqual((await ana.get('/api/retail')).body, {
    terms: { currency: 'USD', rate: '1', markup: '40', ending: '.99' },
    destinations: [{ code: 'FR', title: 'France', markup: '100' }],
    plan_prices: 1,
    idle_prices: 0,
  });
});

test('both files have retail prices and margins, and the API’s export has none', async () => {
  const { text } = await ana.get('/api/live/catalog/csv');
  assert.match(text, /your_price_usd,retail_price,retail_currency,margin_usd\r\n/);
  assert.match(text, new RegExp(`^${small.alias},.*,10\\.00,9\\.50,USD,-0\\.50\\r$`, 'm'));
  const file = await ana.get('/api/live/catalog/json');
  assert.match(String(file.headers['content-disposition']), /filename="catalog-live-[\d-]+\.json"/);
  const found = file.body.products.find(({ id }: { id: string }) => id === large.alias);
  assert.deepEqual([found.retail_price, found.retail_currency, found.margin_usd], ['80.99', 'USD', '40.99']);
  const exported = await ana.v3('live', '/catalog/export');
  assert.equal(exported.status, 200);
  assert.doesNotMatch(exported.text, /retail|80\.99/);
});

test('a price typed in another currency waits until that currency is used again', async () => {
  await ana.post('/api/retail/terms', { ...rule, currency: ' eur ', rate: '0.92' });
  assert.deepEqual(await retailOf(small.alias), { price: '18.99', margin: '10.64', margin_pct: 52, by: 'destination' });
  assert.equal((await plans()).retail_currency, 'EUR');
  assert.equal((await ana.get('/api/retail')).body.idle_prices, 1);
  await ana.post('/api/retail/terms', rule);
  assert.equal((await retailOf(small.alias)).by, 'plan');
  await ana.post('/api/retail/plan', { plan: small.alias, price: '' });
  await ana.post('/api/retail/destination', { code: 'FR', markup: '' });
  assert.equal((await retailOf(small.alias)).by, 'markup');
});

test('revenue and margin of what was sold follow retail prices by day, month and destination', async () => {
  const seller = await t.partner();
  const bo = await signedInAs(t, seller, 'owner');
  const spend = async (query = '') => (await bo.get(`/api/live/insight/spend${query}`)).body;
  const now = t.clock.now();
  await delivered(t, seller, { deliveredAt: now, salePrice: 1_000n });
  await delivered(t, seller, { deliveredAt: now, salePrice: 1_000n });
  await delivered(t, seller, { deliveredAt: now - DAY, salePrice: 500n });
  while ((await countChangedDays(live.db, t.clock)) > 0);
  assert.deepEqual([(await spend()).retail, (await spend()).points[0].margin], [null, null]);
  await bo.post('/api/retail/terms', { ...rule, markup: '50', ending: 'none' });
  const { retail, points, destinations } = await spend();
  assert.deepEqual(retail, { currency: 'USD', revenue: '37.50', margin: '12.50', unpriced: '0.00' });
  assert.deepEqual(
    points.slice(-2).map(({ margin }: { margin: string }) => margin),
    ['2.50', '10.00'],
  );
  assert.deepEqual(
    destinations.map(({ margin }: { margin: string }) => margin),
    ['12.50'],
  );
  const hourly = await spend(`?from=${new Date(now).toISOString().slice(0, 10)}&per=hour`);
  assert.deepEqual([hourly.retail.margin, hourly.points[0].margin], ['10.00', null]);
  assert.equal((await spend('?per=month')).retail.revenue, '37.50');
});

test('an order, the lists, the file and the overview say what sales bring at today’s retail prices, as far as they have some', async () => {
  const seller = await t.partner();
  const bo = await signedInAs(t, seller, 'owner');
  const now = t.clock.now();
  const { orderId: sold } = await delivered(t, seller, { deliveredAt: now, salePrice: 1_000n });
  await delivered(t, seller, { deliveredAt: now - 8 * DAY, salePrice: 500n });
  while ((await countChangedDays(live.db, t.clock)) > 0);
  const overview = async (by = bo) => (await by.get('/api/live/overview')).body;
  const line = async () =>
    (await bo.get('/api/live/orders')).body.orders.find(({ id }: { id: string }) => id === `${sold}`);
  const file = async () => (await bo.get('/api/live/orders.csv')).text;
  assert.deepEqual([(await line()).retail, (await overview()).retail], [null, null]);
  assert.doesNotMatch(await file(), /retail/);
  await bo.post('/api/retail/terms', { ...rule, currency: 'EUR', rate: '0.5', markup: '50', ending: 'none' });
  const brought = { currency: 'EUR', revenue: '7.50', margin: '5.00' };
  assert.deepEqual((await line()).retail, brought);
  assert.deepEqual((await bo.get(`/api/live/orders/${sold}/money`)).body.retail, brought);
  assert.match(await file(), /,paid_usd,revenue_at_todays_retail,retail_currency,margin_usd_at_todays_retail\r\n/);
  assert.match(await file(), new RegExp(`^${sold},.*,10\\.00,7\\.50,EUR,5\\.00\\r$`, 'm'));
  // The older order is not of the last seven days.
  assert.deepEqual((await overview()).retail, { ...brought, is_whole: true });
  assert.equal((await overview(await signedInAs(t, seller, 'support'))).retail, null);
  await live.db.run(sql`update orders set refunded = sale_price where id = ${sold}`);
  assert.equal((await line()).retail, null);
});

test('owner and finance change retail prices; other roles see them, and no one sees another partner’s', async () => {
  const changes = [
    ['/api/retail/terms', rule],
    ['/api/retail/destination', { code: 'FR', markup: '5' }],
    ['/api/retail/plan', { plan: small.alias, price: '5' }],
  ] as const;
  for (const role of ['developer', 'support', 'read-only'] as const) {
    const who = await signedInAs(t, partnerId, role);
    assert.equal((await who.get('/api/retail')).body.terms.markup, '40');
    for (const [path, body] of changes) {
      const answer = await who.post(path, body);
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'role_forbids'], `${role} ${path}`);
    }
  }
  const stranger = await signedIn(t, await t.partner());
  assert.equal((await stranger.get('/api/retail')).body.terms.markup, null);
  assert.equal(await retailOf(small.alias, stranger), null);
  const view = Object.assign(browser(t), { cookie: (await signedInOperator(t)).cookie });
  await view.post(`/operator/api/partners/${partnerId}/view`);
  assert.equal((await view.get('/api/retail')).body.terms.markup, '40');
  for (const [path, body] of changes) {
    assert.equal((await view.post(path, body)).body.error.code, 'view_only', path);
    const foreign = await ana.post(path, body, { headers: { origin: 'https://evil.example' } });
    assert.equal(foreign.body.error.code, 'cross_origin', path);
  }
});

test('what is no markup, rate, currency, price or plan is refused with the reason', async () => {
  for (const [path, body, code] of [
    ['terms', { ...rule, markup: '1001' }, 'invalid_markup'],
    ['terms', { ...rule, currency: 'EURO' }, 'invalid_currency'],
    ['terms', { ...rule, currency: 'EUR', rate: '0' }, 'invalid_rate'],
    ['terms', { ...rule, ending: 'toString' }, 'invalid_input'],
    ['destination', { code: 'XX', markup: '5' }, 'not_found'],
    ['destination', { code: 'FR', markup: '-5' }, 'invalid_markup'],
    ['plan', { plan: 'esc_0000000000000000', price: '5' }, 'product_not_found'],
    ['plan', { plan: small.alias, price: '-5' }, 'invalid_amount'],
  ] as const) {
    const answer = await ana.post(`/api/retail/${path}`, body);
    assert.equal(answer.body.error?.code, code, JSON.stringify(body));
  }
});
