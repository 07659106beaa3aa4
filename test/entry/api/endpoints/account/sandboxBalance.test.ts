import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { request } from 'undici';
import { startApp } from '../../../../../src/app.ts';
import { proveBooks } from '../../../../../src/domains/money/proof/prove.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { contents, rowCounts } from '../../../../support/database/rows.ts';
import { type TestApp, testApp } from '../../../../support/program/app.ts';

let t: TestApp;
before(async () => {
  t = await testApp();
});
after(async () => {
  assert.deepEqual((await proveBooks(t.base.worlds.sandbox.db, () => {})).drift, []);
  await t[Symbol.asyncDispose]();
});

async function account() {
  const partnerId = await t.partner();
  return { partnerId, key: await t.key(partnerId, 'sandbox') };
}
const change = (key: string, operation: string, amount: string) =>
  t.post('/account/sandboxBalance', { operation, amount }, { key });
const balance = async (key: string) => (await t.get('/account/balance', { key })).body.balance;

test('add, subtract and set: the balance, the one before, and a line on the books for each change', async () => {
  const { key, partnerId } = await account();
  const seen: unknown[] = [];
  for (const [operation, amount] of [
    ['add', '0.01'],
    ['subtract', '1000.01'],
    ['set', '250.5'],
    ['set', '250.50'],
    ['add', '0'],
    ['subtract', '0.500'],
    ['set', '1000000'],
    ['set', '0'],
  ] as const) {
    const { status, body } = await change(key, operation, amount);
    assert.deepEqual([status, body.livemode], [200, false]);
    seen.push([body.balance, body.previous_balance]);
    assert.equal(await balance(key), body.balance);
  }
  assert.deepEqual(seen, [
    [1000.01, 1000],
    [0, 1000.01],
    [250.5, 0],
    [250.5, 250.5],
    [250.5, 250.5],
    [250, 250.5],
    [1000000, 250],
    [0, 1000000],
  ]);
  const lines = await t.base.worlds.sandbox.db.query(sql`
    select movements.amount::int, debit, credit from movements join transfers on movement_id = movements.id
    where movements.partner_id = ${partnerId} order by movements.id`);
  assert.deepEqual(
    lines.map((line) => Object.values(line as object)),
    [
      [100000, 'play_money', 'cash'],
      [1, 'play_money', 'cash'],
      [-100001, 'cash', 'play_money'],
      [25050, 'play_money', 'cash'],
      [-50, 'cash', 'play_money'],
      [99975000, 'play_money', 'cash'],
      [-100000000, 'cash', 'play_money'],
    ],
  );
});

test('what is refused, in this order: operation, amount, range, result; nothing changes', async () => {
  const { key } = await account();
  const unchanged = await rowCounts(t);
  const range = { min: 0, max: 1000000 };
  const result = { balance: 1000, max: 1000000 };
  for (const [form, error, extra] of [
    ['', 'invalid_operation', {}],
    ['amount=x', 'invalid_operation', {}],
    ['operation=double&amount=1', 'invalid_operation', {}],
    ['operation=ADD&amount=1', 'invalid_operation', {}],
    ['operation=add&operation=add&amount=1', 'invalid_operation', {}],
    ['operation=add', 'amount_required', {}],
    ['operation=add&amount=', 'amount_required', {}],
    ['operation=add&amount=ten', 'amount_required', {}],
    ['operation=add&amount=1e3', 'amount_required', {}],
    ['operation=add&amount=NaN', 'amount_required', {}],
    ['operation=add&amount=1,5', 'amount_required', {}],
    ['operation=add&amount=1&amount=1', 'amount_required', {}],
    // A third decimal is no amount of money: refused, never rounded.
    ['operation=add&amount=1.005', 'amount_required', {}],
    ['operation=add&amount=-0.01', 'amount_out_of_range', range],
    ['operation=set&amount=1000000.01', 'amount_out_of_range', range],
    ['operation=set&amount=99999999999999999999', 'amount_out_of_range', range],
    ['operation=add&amount=999000.01', 'balance_out_of_range', result],
    ['operation=subtract&amount=1000.01', 'balance_out_of_range', result],
  ] as const) {
    const { status, body } = await t.post('/account/sandboxBalance', form, { key });
    const { result: _, code, title, message, api_version, livemode, ...told } = body;
    assert.deepEqual([status, told], [400, { error, ...extra }], form);
  }
  assert.equal(await balance(key), 1000);
  assert.deepEqual(await rowCounts(t), unchanged);
});

test('changes at the same moment all count, and none passes the ceiling', async () => {
  const { key } = await account();
  await change(key, 'set', '999900');
  const answers = await Promise.all(Array.from({ length: 15 }, () => change(key, 'add', '10')));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  assert.equal(await balance(key), 1000000);
});

test('400 sandbox_only_action with a live key, whatever else is wrong; live data is as it was', async () => {
  const key = await t.key(await t.partner());
  const unchanged = await contents(t, 'live');
  for (const form of ['operation=set&amount=5', '']) {
    const { status, body } = await t.post('/account/sandboxBalance', form, { key });
    assert.deepEqual([status, body.error, body.livemode], [400, 'sandbox_only_action', undefined]);
  }
  assert.deepEqual(await contents(t, 'live'), unchanged);
});

test('400 sandbox_unsupported_action: an action this sandbox does not simulate', async () => {
  const { sandbox, live } = t.base.worlds;
  const { tools: _, ...lacking } = sandbox;
  await using app = await startApp({ ...t.base, worlds: { live, sandbox: lacking } }, 'api');
  const { key } = await account();
  const answer = await request(`http://127.0.0.1:${app.ports[0]}/v3/account/sandboxBalance`, {
    method: 'POST',
    headers: { 'x-api-key': key, host: 'sandbox.test', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'operation=add&amount=1',
  });
  const body = (await answer.body.json()) as Record<string, unknown>;
  assert.deepEqual([answer.statusCode, body.error, body.livemode], [400, 'sandbox_unsupported_action', false]);
});

test('500 sandbox_balance_write_failed: the write is refused, the balance is unchanged', async () => {
  const { key } = await account();
  await t.base.db.run(sql`alter table sandbox.movements add constraint broken check (amount <> 777) not valid`);
  const { status, body } = await change(key, 'add', '7.77');
  await t.base.db.run(sql`alter table sandbox.movements drop constraint broken`);
  assert.deepEqual([status, body.error, body.livemode], [500, 'sandbox_balance_write_failed', false]);
  assert.equal(await balance(key), 1000);
  assert.equal((await change(key, 'add', '7.77')).body.balance, 1007.77);
});
