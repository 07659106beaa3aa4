import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { errors } from '../../../../src/platform/contract/errors.ts';
import { messages, messagesOf } from '../../../../src/platform/contract/messages.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, type TestApp, testApp } from '../../../support/program/app.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts } from '../../../support/sales/shop.ts';

let t: TestApp;
let partner: number;
let product: string;
const keys: Partial<Record<Mode, string>> = {};

before(async () => {
  t = await testApp();
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
  partner = await t.partner();
  for (const mode of ['live', 'sandbox'] as const) keys[mode] = await t.key(partner, mode);
});
after(() => t[Symbol.asyncDispose]());

const send = (mode: Mode, { path, verb, param }: (typeof endpoints)[number], fields: string): Promise<Answer> => {
  const key = keys[mode] ?? '';
  const target = param ? `${path.replace('/{id}', '')}/1` : path;
  return verb === 'GET' ? t.get(`${target}?${fields}`, { key }) : t.post(target, fields, { key });
};

test('every endpoint names the fields it does not know, in the order sent, also when it refuses', async () => {
  for (const mode of ['live', 'sandbox'] as const)
    for (const endpoint of endpoints) {
      const known = Object.keys(endpoint.fields).map((name) => `${name}=`);
      const answer = await send(mode, endpoint, ['zebra=1', ...known, 'sandbox_error=', 'apple[]=2&zebra=3'].join('&'));
      assert.deepEqual(answer.body.ignored, ['zebra', 'apple'], `${mode} ${endpoint.path} ${answer.status}`);
      const clean = await send(mode, endpoint, [...known, 'sandbox_error='].join('&'));
      assert.ok(!('ignored' in clean.body), `${mode} ${endpoint.path}`);
      const { ignored, ...same } = answer.body;
      assert.deepEqual(Object.keys(same).toSorted(), Object.keys(clean.body).toSorted());
    }
});

test('answers that are kept ready name them, too, whatever encoding they are kept in', async () => {
  for (const path of ['/catalog/countries', '/catalog/products?country=FR', '/catalog/export']) {
    const url = (more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`;
    const plain = await t.get(path, { key: keys.live ?? '' });
    const named = await t.get(url('contry=DE'), { key: keys.live ?? '' });
    assert.deepEqual(named.body, { ...plain.body, ignored: ['contry'] });
  }
});

test('a field sent in the wrong place is not read, so it is named; twenty names at most', async () => {
  const key = keys.live ?? '';
  const misplaced = await t.post(`/purchase/buy?product_id=${product}`, {}, { key });
  assert.deepEqual([misplaced.body.error, misplaced.body.ignored], ['product_id_required', ['product_id']]);
  const many = Array.from({ length: 30 }, (_, i) => `f${i}`);
  const { body } = await t.get(`/account/balance?${many.map((name) => `${name}=1`).join('&')}`, { key });
  assert.deepEqual(body.ignored, many.slice(0, 20));
});

test('refusals of the gates name them as far as the request was read, and a path that leads nowhere names none', async () => {
  const ignored = async (path: string, key?: string) =>
    (await t.get(path, key === undefined ? {} : { key })).body.ignored;
  assert.deepEqual(await ignored('/account/balance?a=1'), ['a']);
  assert.deepEqual(await ignored('/account/balance?a=1', `esk_${'0'.repeat(40)}`), ['a']);
  assert.deepEqual(await ignored('/account/balance?api_key=x&a=1', keys.live), ['a']);
  assert.deepEqual(await ignored('/purchase/buy?a=1', keys.live), ['a']);
  assert.equal(await ignored('/account/nothing?a=1', keys.live), undefined);
  assert.equal(await ignored('/nothing/here?a=1', keys.live), undefined);
});

test('the request log shows what was ignored', async () => {
  await t.get('/account/balance?misspelt=secret', { key: keys.sandbox ?? '' });
  await eventually('the call is logged', async () => {
    const rows = await t.base.worlds.sandbox.db.query<{ fields: unknown }>(sql`
      select fields from request_log where partner_id = ${partner} and fields::text like '%misspelt%'`);
    const [row] = rows;
    if (!row) return false;
    assert.match(JSON.stringify(row.fields), /undeclared/);
    assert.doesNotMatch(JSON.stringify(row.fields), /secret/);
    return true;
  });
});

test('quantity is refused with the batch named, after everything the contract checks, and nothing is sold', async () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const key = keys[mode] ?? '';
    const before = await counts(t, mode);
    for (const quantity of ['2', '0', 'many', '1&quantity=1']) {
      const { status, body } = await t.post('/purchase/buy', `product_id=${product}&quantity=${quantity}`, { key });
      assert.deepEqual([status, body.error, body.batch], [400, 'quantity_not_supported', 'purchase/batch']);
      assert.ok(!('ignored' in body));
    }
    const first = async (fields: Record<string, string>) => (await buy(t, key, product, fields)).body.error;
    assert.equal(await first({ quantity: '2', product_id: 'esc_0' }), 'invalid_product');
    assert.equal(await first({ quantity: '2', idempotency_key: '<' }), 'invalid_idempotency_key');
    assert.deepEqual(await counts(t, mode), before);
  }
  for (const quantity of ['1', '']) {
    const { body } = await buy(t, keys.sandbox ?? '', product, { quantity });
    assert.deepEqual([body.delivery, body.ignored], ['delivered', undefined]);
  }
});

test('every error code has a message of one sentence, and refusals carry it; that of a JSON body names the type', async () => {
  for (const code of Object.keys(errors) as (keyof typeof errors)[]) {
    for (const message of messagesOf(code)) {
      assert.match(message, /^[A-Z][^\n]{15,}\.$/, code);
      assert.doesNotMatch(message, /[.!?] [A-Z]/, `${code} has more than one sentence`);
    }
  }
  const key = keys.sandbox ?? '';
  for (const endpoint of endpoints)
    for (const { body } of [await t.get(endpoint.path, { key, method: 'DELETE' }), await t.get(endpoint.path)]) {
      assert.ok(body.error in messages, body.error);
      assert.equal(body.message, messages[body.error as keyof typeof messages], endpoint.path);
    }
  const simulated = await t.get('/account/balance?sandbox_error=rate_limited', { key });
  assert.equal(simulated.body.message, messages.rate_limited);
  const json = await t.post('/purchase/buy?a=1', JSON.stringify({ product_id: product }), {
    key,
    headers: { 'content-type': 'application/json' },
  });
  assert.deepEqual([json.status, json.body.error, json.body.ignored], [415, 'unsupported_media_type', ['a']]);
  assert.match(json.body.message, /application\/x-www-form-urlencoded/);
});
