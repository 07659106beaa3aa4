import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';

const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());

const small = await testPlan(t, { title: 'France 1 GB', price: 10, cost: 4 });
const large = await testPlan(t, {
  title: '=France 20 GB',
  amount: 20_480,
  day: 30,
  price: 40,
  cost: 20,
  network_type: '5G',
});
const refill = await testPlan(t, { title: 'France 1 GB more', price: 8, cost: 3, refills: [small.code] });
const wide = await testPlan(t, {
  title: 'Europe 5 GB',
  destination: 'europe',
  amount: 5120,
  price: 20,
  cost: 9,
  coverage: ['FR', 'DE'],
});
const partnerId = await t.partner();
const ana = await signedIn(t, partnerId);
const plansOf = async (query: string, by: Browser = ana) => (await by.get(`/api/live/catalog/plans${query}`)).body;
const ids = async (query: string) => (await plansOf(query)).plans.map(({ id }: { id: string }) => id);
await eventually('the catalog knows all plans', async () => (await plansOf('?search=GB')).total === 4);

test('destinations are listed with what is sold there and the lowest own price', async () => {
  const { destinations } = (await ana.get('/api/sandbox/catalog/destinations')).body;
  const told = destinations.map(({ code, plans, refills, from }: Record<string, unknown>) => [
    code,
    plans,
    refills,
    from,
  ]);
  assert.deepEqual(told, [
    ['europe', 1, 0, '20.00'],
    ['FR', 2, 1, '10.00'],
  ]);
});

test('plans of a destination have the list price beside the own one, and refills are marked', async () => {
  const { plans, total } = await plansOf('?destination=fr');
  assert.equal(total, 3);
  const told = plans.map((plan: Record<string, unknown>) => [
    plan.id,
    plan.is_refill,
    plan.list_price,
    plan.your_price,
  ]);
  assert.deepEqual(told, [
    [refill.alias, true, '8.00', '8.00'],
    [small.alias, false, '10.00', '10.00'],
    [large.alias, false, '40.00', '40.00'],
  ]);
});

test('the price is what the partner’s contract makes it, not another partner’s', async () => {
  const favoured = await t.partner();
  await run(t.operator(), `pricing rule add --partner ${favoured} --scope product --target ${small.alias} --price 7`);
  const bo = await signedIn(t, favoured);
  await eventually(
    'the rule is known',
    async () => (await plansOf(`?search=${small.alias}`, bo)).plans[0]?.your_price === '7.00',
  );
  assert.equal((await plansOf(`?search=${small.alias}`)).plans[0].your_price, '10.00');
});

test('plans are found by all words typed, by kind, and by what covers a country; sorted as asked', async () => {
  assert.deepEqual(await ids('?search=france+20gb'), [large.alias]);
  assert.deepEqual(await ids(`?search=${wide.alias.toUpperCase()}`), [wide.alias]);
  assert.deepEqual(await ids('?kind=refill'), [refill.alias]);
  assert.deepEqual(await ids('?destination=FR&reach=wider'), [wide.alias]);
  assert.deepEqual(await ids('?destination=FR&kind=esim&sort=data'), [small.alias, large.alias]);
  assert.deepEqual(await ids('?search=moon'), []);
  assert.deepEqual((await plansOf('?destination=FR&page=2')).plans, []);
});

test('wrong input is refused with the reason', async () => {
  for (const query of ['?kind=voice', '?sort=id', '?page=0', '?page=1e3', '?reach=own', `?search=${'a'.repeat(101)}`]) {
    const { status, body } = await ana.get(`/api/live/catalog/plans${query}`);
    assert.deepEqual([status, body.error.code], [400, 'invalid_input'], query);
  }
  assert.equal((await ana.get('/api/live/catalog/plans?destination=XX')).status, 404);
  assert.equal((await ana.get('/api/elsewhere/catalog/csv')).status, 404);
});

test('the file has every plan, a developer may have it, and formulas are defused', async () => {
  const developer = await signedInAs(t, partnerId, 'developer');
  const { headers, text } = await developer.get('/api/live/catalog/csv');
  assert.match(String(headers['content-disposition']), /^attachment; filename="catalog-live-[\d-]+\.csv"$/);
  const [header = '', ...lines] = text.replace('\ufeff', '').trim().split('\r\n');
  assert.match(header, /^id,kind,title,.*your_price_usd$/);
  assert.equal(lines.length, 4);
  const line = (alias: string) => lines.find((one) => one.startsWith(alias)) ?? '';
  assert.match(line(large.alias), /,esim,'=France 20 GB,FR,France,country,20 GB,20480,30,5G,.*,40\.00,40\.00$/);
  assert.match(line(refill.alias), /,refill,.*,8\.00,8\.00$/);
});
