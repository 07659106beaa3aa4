import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../../support/program/app.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { csvOf, type Item, newItems, PLAN, stockPlans } from '../../../support/suppliers/stock-shop.ts';

const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
await stockPlans(t.base);
const admin = await signedInOperator(t);
const reader = await signedInOperator(t, 'read-only');

const of = { supplier: 'depot', plan: PLAN };
const upload = (who: typeof admin, text: string, more: Readonly<Record<string, string | boolean>> = {}) =>
  who.post('/operator/api/stock/import', { input: { ...of, ...more }, text });
const plans = async () => (await reader.get('/operator/api/stock?supplier=depot')).body.plans;

test('a file is uploaded after a dry run, its problems are listed, and the audit log has the change without the codes', async () => {
  const text = csvOf(newItems(3));
  const tried = await upload(admin, text, { 'dry-run': true, cost: '1.5', expires: '2031-05-31' });
  assert.deepEqual([tried.status, tried.body.result.items], [200, 3]);
  assert.deepEqual(await plans(), []);
  const refused = await upload(admin, 'iccid,activation_code\n1,SECRET');
  assert.deepEqual(refused.body.result.problems[0].column, 'iccid');
  assert.doesNotMatch(refused.text, /SECRET/);
  assert.equal((await upload(admin, text)).body.result.available, 3);
  assert.equal((await plans())[0].available, 3);
  const [entry] = (await admin.get('/operator/api/audit?what=stock+import')).body.entries;
  assert.deepEqual([entry.who, entry.target], [`operator:${admin.email}`, 'supplier depot']);
  assert.doesNotMatch(JSON.stringify(entry) + t.logged.join(''), /SECRET/);
});

test('who may not manage the catalog cannot upload; bad fields and too large a file are refused', async () => {
  assert.equal((await upload(reader, '[]')).body.error.code, 'role_forbids');
  assert.equal((await upload(admin, '[]', { plan: 'none' })).body.result?.ok, false);
  assert.equal((await upload(admin, csvOf(newItems(1)), { plan: 'none' })).body.error.code, 'product_not_found');
  assert.equal((await upload(admin, '[]', { cost: 'much' })).body.error.code, 'invalid_input');
  assert.equal((await upload(admin, '[]', { expires: 'soon' })).body.error.code, 'invalid_input');
  assert.equal((await upload(admin, ' '.repeat(3 * 1024 * 1024))).body.error.code, 'invalid_input');
});

test('levels, releases and discards are commands of the console', async () => {
  const [item] = newItems(1) as [Item];
  await upload(admin, csvOf([item]));
  assert.equal((await runAs(admin, 'stock set', { ...of, low: '9' })).body.result.is_low, true);
  assert.equal((await runAs(admin, 'stock discard', { iccid: item.iccid })).body.result.state, 'discarded');
  assert.equal((await runAs(admin, 'stock release', { iccid: item.iccid })).body.result.state, 'available');
  assert.equal((await runAs(reader, 'stock discard', { iccid: item.iccid })).body.error.code, 'role_forbids');
});
