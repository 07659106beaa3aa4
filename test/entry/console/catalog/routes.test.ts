import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, eventually, smallWorld, stockedApp } from '../../../support/sales/catalog.ts';
import { buy, credit } from '../../../support/sales/shop.ts';

const plan = (code: string, cost: string, more = {}) => entry({ code, title: `Plan ${code}`, cost, ...more });
// Without that, a plan with a refill in its list counts as refillable, and only others like it are suggested.
const closed = { operator: { rechargeability: false } };
const t = await stockedApp([
  batchOf([plan('own', '4.00', closed), plan('own-refill', '1.00', { refills: ['own'] })], { slug: 'aurora' }),
  batchOf([plan('other', '3.50'), plan('small', '1.00', { amount: 512 })], { slug: 'borealis' }),
]);
after(() => t[Symbol.asyncDispose]());
const [own, other, refill] = (await Promise.all(['own', 'other', 'own-refill'].map((code) => t.alias(code)))) as [
  string,
  string,
  string,
];
const admin = await signedInOperator(t);
const reader = await signedInOperator(t, 'read-only');
const routes = async (query = '') => (await reader.get(`/operator/api/routes${query}`)).body;
const ofPlan = async (id: string) => reader.get(`/operator/api/routes/${id}`);

test('a plan has its route and suggestions; a refill has none, and an unknown plan is not found', async () => {
  await run(t.operator(), `catalog product set ${await t.alias('own-refill')} --on-sale false`);
  await eventually(async () => {
    const { body } = await ofPlan(own);
    assert.deepEqual(
      [body.route, body.suggestions.map((one: { product_id: string }) => one.product_id), body.price],
      [null, [other], '10.00'],
    );
  });
  assert.deepEqual([(await ofPlan(refill)).body.is_refill, (await ofPlan(refill)).body.suggestions], [true, []]);
  assert.equal((await ofPlan('esc_0123456789abcdef')).status, 404);
});

test('routes are tried, set, listed, found by words and cleared by the commands, for those who manage the catalog', async () => {
  const input = { product: own, alternates: other, 'min-margin': '10', prefer: 'cheapest' };
  const tried = (await runAs(admin, 'route set', { ...input, 'dry-run': true })).body.result;
  assert.deepEqual([tried.route.min_margin, tried.preview.orders, tried.preview.days], ['10.00', 0, 30]);
  assert.deepEqual([(await routes()).matched, (await ofPlan(own)).body.route], [0, null]);
  assert.equal((await runAs(reader, 'route set', input)).body.error.code, 'role_forbids');
  assert.equal((await runAs(admin, 'route set', input)).body.result.prefer, 'cheapest');
  assert.equal((await ofPlan(own)).body.route.source, 'set');
  assert.deepEqual((await routes('?q=PLAN+borealis')).matched, 1);
  assert.deepEqual((await routes('?q=nothing')).routes, []);
  assert.deepEqual((await routes(`?before=${own}`)).routes, []);
  const [entry] = (await admin.get('/operator/api/audit?what=route+set')).body.entries;
  assert.deepEqual([entry.who, entry.target], [`operator:${admin.email}`, `product ${own}`]);
  assert.equal((await runAs(admin, 'route clear', { product: own })).body.result.cleared, true);
  assert.equal((await routes()).matched, 0);
});

test('automatic routes are switched for all or for a supplier, and what suppliers lost is counted', async () => {
  await runAs(admin, 'route auto', { setting: 'on', supplier: 'aurora', prefer: 'cheapest' });
  assert.deepEqual((await routes()).auto, [{ supplier: 'aurora', isOn: true, prefer: 'cheapest' }]);
  assert.equal((await ofPlan(own)).body.route.source, 'auto');
  await credit(t, t.partner1, '100.00');
  await eventually(async () => {
    const { body } = await buy(t, t.key1, own);
    const { order, suppliers } = (await reader.get(`/operator/api/live/orders/${body.order_id}`)).body;
    assert.deepEqual([order.supplier, order.is_routed, suppliers.length], ['borealis', true, 2]);
  });
  assert.equal((await reader.get('/operator/api/live/orders')).body.orders[0].is_routed, true);
  const { suppliers } = await routes();
  assert.ok(suppliers.find(({ supplier }: { supplier: string }) => supplier === 'aurora').lost >= 1);
  await runAs(admin, 'route auto', { setting: 'off' });
  assert.deepEqual((await routes()).auto, []);
});

const file = (plans: readonly object[], more = {}) =>
  JSON.stringify(
    { supplier: { slug: 'delta', title: 'Delta', kind: 'simulated' }, destinations: smallWorld, plans, ...more },
    null,
    1,
  );
const upload = (who: typeof admin, text: string, isDryRun = false) =>
  who.post('/operator/api/catalog/import', { input: { 'dry-run': isDryRun }, text });

test('a price list is uploaded after a trial that changes nothing, all or nothing, with its entry in the audit log', async () => {
  const text = file([plan('d-1', '1.00'), plan('d-2', '2.00')]);
  const tried = (await upload(admin, text, true)).body.result;
  assert.deepEqual([tried.added, tried.added_plans.length, tried.off_sale], [2, 2, 0]);
  const found = async () => (await reader.get('/operator/api/catalog?supplier=delta')).body.matched;
  assert.equal(await found(), 0);
  assert.equal((await upload(admin, text)).body.result.added, 2);
  assert.equal(await found(), 2);
  const [entry] = (await admin.get('/operator/api/audit?what=catalog+import')).body.entries;
  assert.deepEqual([entry.who, entry.target], [`operator:${admin.email}`, 'supplier delta']);
  const [past] = (await reader.get('/operator/api/catalog/imports?supplier=delta')).body.imports;
  assert.deepEqual([past.who, past.counts.added], [`operator:${admin.email}`, 2]);
  const changed = (await upload(admin, file([plan('d-1', '1.00', { price: '12.00' })]), true)).body.result;
  assert.deepEqual([changed.repriced, changed.off_sale, changed.off_sale_plans[0].code], [1, 1, 'd-2']);
});

test('a bad file imports nothing and names the line of each problem; roles and sizes are enforced', async () => {
  const bad = (await upload(admin, file([plan('d-3', '1.00'), { ...plan('d-4', '1.00'), day: 0 }]))).body.result;
  assert.equal(bad.ok, false);
  assert.match(bad.problems[0].reason, /^day /);
  assert.ok(bad.problems[0].line > 20);
  assert.match((await upload(admin, '{"plans": [')).body.result.problems[0].reason, /not valid JSON/);
  const many = file(Array.from({ length: 150 }, () => ({})));
  const refused = (await upload(admin, many)).body.result;
  assert.deepEqual([refused.problems.length, refused.message], [100, 'nothing was imported: 150 problems']);
  assert.equal((await upload(reader, file([]))).body.error.code, 'role_forbids');
  const tooLarge = await upload(admin, ' '.repeat(4 * 1024 * 1024 + 1));
  assert.match(tooLarge.body.error.message, /larger than 4 MB/);
  assert.equal((await reader.get('/operator/api/catalog?supplier=delta&q=d-3')).body.matched, 0);
});
